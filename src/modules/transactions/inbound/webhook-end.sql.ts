import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import type { InboundEnd } from './webhook.ts';

/** How what was told by a webhook ends; with a transaction, its history says so. */
export type Ending = {
  readonly state: InboundEnd;
  readonly now: Date;
  readonly told: {
    readonly transactionId: string;
    readonly historyId: string;
    /** What is not null of it is told beside the service. */
    readonly context: Readonly<Record<string, unknown>>;
  } | null;
};

/** Where webhooks are kept, whose they are, the name of the entry in the history, and what else is forgotten at the end. */
type Kept = {
  readonly table: 'inbound_webhook' | 'inbound_review';
  readonly service: 'payment_service' | 'anti_fraud_service';
  readonly entry: string;
  readonly forget?: string;
};

/** Ends a parked webhook, and notes it in the transaction's history, in one commit. False when it had ended before. */
export type End = (
  db: Db,
  webhook: { readonly merchantAccountId: string; readonly id: string },
  ending: Ending,
) => Promise<boolean>;

/** How the webhooks of one table are ended. */
export function endingOf({ table, service, entry, forget = '' }: Kept): End {
  const statement = prepare(
    `end_${table}`,
    `WITH ended AS (
       UPDATE ${table} SET state = @state, transaction_id = @transaction, next_attempt_at = NULL,
         ${forget} settled_at = @now
       WHERE merchant_account_id = @account AND id = @id AND state = 'parked' RETURNING *),
     noted AS (
       INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
       SELECT e.merchant_account_id, @historyId::uuid, e.transaction_id, '${entry}',
         jsonb_strip_nulls(@context::jsonb || jsonb_build_object('${service}_id', s.id,
           '${service}_display_name', s.display_name, '${service}_definition_id', s.definition_id)), @now
       FROM ended e
       JOIN ${service} s ON s.merchant_account_id = e.merchant_account_id AND s.id = e.${service}_id
       WHERE e.transaction_id IS NOT NULL)
     SELECT id FROM ended`,
  );
  return async (db, { merchantAccountId, id }, { state, now, told }) => {
    const rows = await db.query(
      statement({
        account: merchantAccountId,
        id,
        state,
        now,
        transaction: told?.transactionId ?? null,
        historyId: told?.historyId ?? null,
        context: JSON.stringify(told?.context ?? {}),
      }),
    );
    return rows.length > 0;
  };
}
