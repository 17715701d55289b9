import type { Db } from '../../../platform/database/db.ts';
import type { Statement } from '../../../platform/database/statement.ts';

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

/** Creates the function that claims the webhooks of one table. Its statement needs `now`, `leaseUntil` and `limit`. */
export function claimingOf<Webhook extends Noticed>(
  statement: (values: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number }) => Statement,
): ClaimDue<Webhook> {
  return async (db, now, { leaseUntil, limit }) => {
    const rows = await db.query<Row<Webhook>>(statement({ now, leaseUntil, limit }));
    return rows.map((row) => {
      const { occurredAt } = row.notice;
      const notice = { ...row.notice, occurredAt: occurredAt === null ? null : new Date(occurredAt) };
      return { ...row, notice } as unknown as Webhook;
    });
  };
}
