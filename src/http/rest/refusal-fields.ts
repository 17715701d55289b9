/** Selects the fields of a refusal, with the data of those that a path shows. */
export const REFUSAL_FIELDS = `__typename code message path
  ... on DuplicateRecord { resourceId }
  ... on IdempotencyInProgress { retryAfterMs }
  ... on TooManyCardNumbers { retryAfterSeconds }`;

/** A refusal as the graph answers it. */
export type Refusal = {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly resourceId?: string;
  readonly retryAfterMs?: number;
  readonly retryAfterSeconds?: number;
};
