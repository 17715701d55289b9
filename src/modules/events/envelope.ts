/** A change to be told: written in the transaction that makes it. */
export type NewEvent = {
  readonly merchantAccountId: string;
  readonly id: string;
  /** For example `transaction.captured`. */
  readonly name: string;
  readonly createdAt: Date;
  readonly production: boolean;
  /** The short form of the record, snake_case, no secret in it. */
  readonly target: { readonly type: string; readonly id: string; readonly [field: string]: unknown };
};

/** The envelope as text, fixed when the change is made (facts 5.1). */
export const envelopeText = (event: NewEvent): string =>
  JSON.stringify({
    type: 'event',
    id: event.id,
    name: event.name,
    created_at: event.createdAt.toISOString(),
    merchant_account_id: event.merchantAccountId,
    environment: event.production ? 'production' : 'sandbox',
    target: event.target,
  });

/** The text that consumers get: the fixed envelope with its sequence in front. A pure function, so it never differs. */
export const withSequence = (envelope: string, sequence: bigint): string =>
  `{"sequence":${sequence},${envelope.slice(1)}`;
