/** The code of an error of Node, such as `ENOENT`; null when it has none. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}
