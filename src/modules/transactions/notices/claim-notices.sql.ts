import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';

type Noticed = { readonly notice: { readonly occurredAt: Date | null } };

/** A row as JSON stores its notice: the date is a string. */
type Row<Webhook extends Noticed> = Omit<Webhook, 'notice'> & {
  readonly notice: Omit<Webhook['notice'], 'occurredAt'> & { readonly occurredAt: string | null };
};

/** Claims parked webhooks that are due, of every merchant account. The oldest receipt comes first. */
export type ClaimDue<Webhook> = (
  db: Db,
  now: Date,
  claim: { readonly leaseUntil: Date; readonly limit: number },
) => Promise<readonly Webhook[]>;

/** Creates the function that claims the webhooks of one table. `columns` lists the further columns of `w`. */
export function claimingOf<Webhook extends Noticed>(
  table: 'inbound_webhook' | 'inbound_review',
  columns: string,
): ClaimDue<Webhook> {
  const statement = prepare(
    `claim_${table}s`,
    `WITH due AS (
       SELECT merchant_account_id, id FROM ${table} WHERE state = 'parked' AND next_attempt_at <= @now
       ORDER BY next_attempt_at LIMIT @limit FOR UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE ${table} w SET next_attempt_at = @leaseUntil FROM due d
       WHERE w.merchant_account_id = d.merchant_account_id AND w.id = d.id
       RETURNING w.merchant_account_id AS "merchantAccountId", w.id, w.notice, w.received_at AS "receivedAt",
         ${columns})
     SELECT * FROM claimed ORDER BY "receivedAt", id`,
  );
  return async (db, now, { leaseUntil, limit }) => {
    const rows = await db.query<Row<Webhook>>(statement({ now, leaseUntil, limit }));
    return rows.map((row) => {
      const { occurredAt } = row.notice;
      const notice = { ...row.notice, occurredAt: occurredAt === null ? null : new Date(occurredAt) };
      return { ...row, notice } as unknown as Webhook;
    });
  };
}
