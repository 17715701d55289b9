import type { App } from '../../../app.ts';
import { requireHere } from '../../../platform/moves/known-moves.ts';
import type { LookUp } from './look-up.ts';
import { writeReported } from './note-reported.sql.ts';

/** The time after which the loop of look-ups asks, if nobody has asked before. */
export const LATER_MS = 60_000;

/**
 * Notes the payments that webhooks name, and returns those of the payment service. A note stays until its provider has answered a
 * look-up that began after the webhook. So a payment is not forgotten after a crash, during an outage, or beyond the budget.
 *
 * Commits once for each payment. Throws for a merchant account that another cell serves, because an unknown payment may be there.
 */
export async function noteReported(
  app: Pick<App, 'db' | 'clock'>,
  lookUps: readonly LookUp[],
): Promise<readonly LookUp[]> {
  const nextAt = new Date(app.clock.now().getTime() + LATER_MS);
  const noted: LookUp[] = [];
  for (const lookUp of lookUps) {
    if (await writeReported(app.db, lookUp, nextAt)) noted.push(lookUp);
    // Nothing was written, so the database could not refuse the account.
    else await requireHere(app, lookUp.merchantAccountId);
  }
  return noted;
}
