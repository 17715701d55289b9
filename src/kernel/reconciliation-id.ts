// The digits are in ASCII order, so ids sort like their UUIDs: by creation.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

/** The number of digits. 62^22 is the first power above 2^128. */
const LENGTH = 22;
const UUID_MAX = (1n << 128n) - 1n;

/** Encodes a UUID in base 62: 22 letters and digits, for references that providers and banks keep short. */
export function reconciliationIdOf(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  while (text.length < LENGTH) {
    text = DIGITS.charAt(Number(rest % BASE)) + text;
    rest /= BASE;
  }
  return text;
}

/** Returns the UUID of a reconciliation id in lower case, or null when the text is no reconciliation id. */
export function uuidOf(reconciliationId: string): string | null {
  if (!/^[0-9A-Za-z]{22}$/.test(reconciliationId)) return null;
  let value = 0n;
  for (const digit of reconciliationId) value = value * BASE + BigInt(DIGITS.indexOf(digit));
  if (value > UUID_MAX) return null;
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
