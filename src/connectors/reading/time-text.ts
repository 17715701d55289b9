/** Reads a time that a provider wrote as text. Null for another text. */
export function timeOf(text: string | null | undefined): Date | null {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? null : time;
}
