/** Returns the code of a Node error, such as `ENOENT`. Null without a code. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}
