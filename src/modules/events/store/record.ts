import type { Tx } from '../../../platform/db.ts';
import type { NewEvent } from '../envelope.ts';

/** Inserts the event and its mark for the relay, in one statement of the caller's transaction. */
export async function insertEvent(tx: Tx, event: NewEvent, payload: string): Promise<void> {
  await tx.$executeRaw`
    WITH written AS (
      INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
      VALUES (${event.merchantAccountId}, ${event.id}::uuid, ${event.name}, ${event.target.type}, ${event.target.id},
              ${payload}, ${event.createdAt})
      RETURNING position)
    INSERT INTO event_pending (position) SELECT position FROM written`;
}

/**
 * The same as a part of a larger statement: common table expressions that write one event for each row of `from`.
 * `from` must have the columns merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at.
 */
export const eventExpressions = (from: string): string => `
  event_written AS (
    INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM ${from}
    RETURNING position),
  event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written)`;
