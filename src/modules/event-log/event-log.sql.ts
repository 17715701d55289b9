import type { Tx } from '../../platform/db.ts';

/** A change to be told: written in the transaction that makes it. */
export type NewEvent = {
  readonly merchantAccountId: string;
  readonly id: string;
  /** For example `transaction.captured`; event-names.ts lists those that this version writes. */
  readonly name: string;
  readonly createdAt: Date;
  readonly production: boolean;
  /** The short form of the record, snake_case, no secret in it. */
  readonly target: { readonly type: string; readonly id: string; readonly [field: string]: unknown };
};

/**
 * Writes an event, and its mark for the relay, in the caller's transaction: it is told when that commits, and only then.
 * Here and not in the events module, so that every module can tell of its changes, those below that one too.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx.$executeRaw`
    WITH written AS (
      INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
      VALUES (${event.merchantAccountId}, ${event.id}::uuid, ${event.name}, ${event.target.type}, ${event.target.id},
              ${envelopeText(event)}, ${event.createdAt})
      RETURNING position)
    INSERT INTO event_pending (position) SELECT position FROM written`;
}

/**
 * The same as a part of a larger statement: common table expressions that write one event for each row of `from`.
 * `from` must have the columns merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at. A
 * statement that has them twice gives them two names.
 */
export const eventExpressions = (from: string, name = 'event'): string => `
  ${name}_written AS (
    INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM ${from}
    RETURNING position),
  ${name}_marked AS (INSERT INTO event_pending (position) SELECT position FROM ${name}_written)`;

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
