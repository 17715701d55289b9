/** Returns the value of a text in JSON, or of its bytes in UTF-8. Null for any other text, so `null` itself counts as unreadable. */
export function parseJson(given: string | Buffer): unknown {
  try {
    return JSON.parse(String(given));
  } catch {
    return null;
  }
}
