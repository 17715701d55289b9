import { beginHold, type Hold } from '../hold/hold.ts';
import { askUnansweredAgain } from '../sweep/store/unanswered.sql.ts';
import { makeUndecidedDue } from './progress.sql.ts';
import type { HoldApp } from './progress.ts';

const DAY_MS = 86_400_000;

/** The age up to which payments are compared after a restore. Providers take refunds for about half a year. */
const REACH_MS = 180 * DAY_MS;

/**
 * Holds payments back after a restore, in every process at once, until `releasePayments`. Reads, webhooks, comparisons and
 * the adoption of differences go on. Reconciliation asks at once about each operation without an outcome. Returns false if
 * payments are held back already.
 *
 * - `restoredTo`: the moment of the backup.
 * - `paymentsSince`: the comparison leaves older payments to their usual ages. Null: half a year before the backup.
 */
export async function holdPayments(
  app: HoldApp,
  { restoredTo, paymentsSince }: Pick<Hold, 'restoredTo'> & { readonly paymentsSince: Date | null },
): Promise<boolean> {
  const startedAt = app.clock.now();
  const begun = await beginHold(app.db, {
    restoredTo,
    paymentsSince: paymentsSince ?? new Date(restoredTo.getTime() - REACH_MS),
    startedAt,
  });
  // A former command may have died before this.
  await makeUndecidedDue(app.db, startedAt);
  await askUnansweredAgain(app.db, startedAt);
  return begun;
}

/** Asks again about the payments whose providers gave no answer, and counts their tries anew. Returns their number. */
export const compareUnansweredAgain = ({ db, clock }: HoldApp): Promise<number> =>
  askUnansweredAgain(db, clock.now());
