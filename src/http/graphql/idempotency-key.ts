/**
 * Returns the idempotency key of a request's header, or null without the header. A quoted key loses its quotes, because
 * the draft of the header field makes it a string of structured fields.
 */
export function keyHeaderOf(headers: Readonly<Record<string, string | string[] | undefined>>): string | null {
  const value = headers['idempotency-key'];
  if (value === undefined) return null;
  const text = Array.isArray(value) ? value.join(', ') : value;
  return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : text;
}
