import type { Db } from '../../../platform/database/db.ts';
import { ACTOR } from '../../../platform/database/acting.ts';
import { prepare } from '../../../platform/database/statement.ts';

/** The end of a webhook: a change, no change, or no match in time. */
export type InboundEnd = 'applied' | 'ignored' | 'expired';

/** The end of a webhook. A webhook with a transaction gets an entry in the transaction's history. */
export type Ending = {
  readonly state: InboundEnd;
  readonly now: Date;
  readonly history: {
    readonly transactionId: string;
    readonly historyId: string;
    /** The details of the history entry beside the service. Null values are left out. */
    readonly context: Readonly<Record<string, unknown>>;
  } | null;
};

/** A table of webhooks: its service column, the name of the history entry, and the columns that the end clears. */
type WebhookTable = {
  readonly table: 'inbound_webhook' | 'inbound_review';
  readonly service: 'payment_service' | 'anti_fraud_service';
  readonly entry: string;
  readonly forget?: string;
};

/** Ends a parked webhook and writes the history entry, in one commit. False when the webhook had ended before. */
export type End = (
  db: Db,
  webhook: { readonly merchantAccountId: string; readonly id: string },
  ending: Ending,
) => Promise<boolean>;

/** Creates the function that ends webhooks of one table. */
export function endingOf({ table, service, entry, forget = '' }: WebhookTable): End {
  const statement = prepare(
    `end_${table}`,
    `WITH ended AS (
       UPDATE ${table} SET state = @state, transaction_id = @transaction, next_attempt_at = NULL,
         ${forget} settled_at = @now
       WHERE merchant_account_id = @account AND id = @id AND state = 'parked' RETURNING *),
     history_written AS (
       INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
       SELECT e.merchant_account_id, @historyId::uuid, e.transaction_id, '${entry}',
         jsonb_strip_nulls(@context::jsonb || jsonb_build_object('${service}_id', s.id,
           '${service}_display_name', s.display_name, '${service}_definition_id', s.definition_id)), ${ACTOR}::jsonb, @now
       FROM ended e
       JOIN ${service} s ON s.merchant_account_id = e.merchant_account_id AND s.id = e.${service}_id
       WHERE e.transaction_id IS NOT NULL)
     SELECT id FROM ended`,
  );
  return async (db, { merchantAccountId, id }, { state, now, history }) => {
    const rows = await db.query(
      statement({
        account: merchantAccountId,
        id,
        state,
        now,
        transaction: history?.transactionId ?? null,
        historyId: history?.historyId ?? null,
        context: JSON.stringify(history?.context ?? {}),
      }),
    );
    return rows.length > 0;
  };
}
