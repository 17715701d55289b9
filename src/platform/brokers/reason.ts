/** Returns the sentence of a client's error. The first of several errors tells the cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return message || (error instanceof Error ? error.name : 'unknown');
}
