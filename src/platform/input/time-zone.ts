/** Returns true for the IANA name of a time zone, such as Europe/Berlin. An offset such as +01:00 is no name. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en-GB', { timeZone: name }));
  } catch {
    return false;
  }
}
