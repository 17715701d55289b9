/** Returns the value of a text in JSON, or of its bytes in UTF-8. Null for any other text, so `null` itself counts as unreadable. */
export function parseJson(given: string | Buffer): unknown {
  try {
    return JSON.parse(String(given));
  } catch {
    return null;
  }
}

/** True for an object of JSON. A list is none. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the values of an object that are texts. */
export const textsIn = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
