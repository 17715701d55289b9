import type { Db } from '../../../platform/database/db.ts';
import type { Statement } from '../../../platform/database/statement.ts';

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

/** Ends a parked webhook and writes the history entry, in one commit. False when the webhook had ended before. */
export type End = (
  db: Db,
  webhook: { readonly merchantAccountId: string; readonly id: string },
  ending: Ending,
) => Promise<boolean>;

/** Creates the function that ends webhooks of one table. Its statement writes the end and the history entry. */
export function endingOf(statement: (values: Readonly<Record<string, unknown>>) => Statement): End {
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
