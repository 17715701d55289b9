/** An input value that breaks a limit or a pattern. The message never repeats the value. */
export type InvalidInput = {
  readonly kind: 'InvalidInput';
  readonly path: readonly string[];
  readonly message: string;
};

/** An id that names nothing in this merchant account. An id of another merchant account gets the same refusal. */
export type NotFound = { readonly kind: 'NotFound'; readonly what: string; readonly path: readonly string[] };

/** An idempotency key that belongs to a request with other input. */
export type IdempotencyKeyReused = {
  readonly kind: 'IdempotencyKeyReused';
  readonly differingPaths: readonly string[];
};

/** An idempotency key whose first request has not finished. */
export type IdempotencyInProgress = { readonly kind: 'IdempotencyInProgress'; readonly retryAfterMs: number };

export type IdempotencyRefusal = IdempotencyKeyReused | IdempotencyInProgress;

/** The provider gave no usable answer. Nothing was done, and the caller may try again. */
export type ProviderUnavailable = { readonly kind: 'ProviderUnavailable' };

export const invalidInput = (path: readonly string[], message: string): InvalidInput => ({
  kind: 'InvalidInput',
  path,
  message,
});

export const notFound = (what: string, path: readonly string[] = ['id']): NotFound => ({
  kind: 'NotFound',
  what,
  path,
});
