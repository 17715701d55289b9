import type { App } from '../../../app.ts';
import type { Loop } from '../../../platform/loop.ts';
import { startWorks, type Work } from '../../../platform/works.ts';
import { deskOf } from './desk.ts';
import { claimTimes, lookUpDuePayment } from './look-up.ts';
import { PLACES_OF_SERVICE } from './places.ts';
import { claimReportedDue } from './reported.sql.ts';

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 1_000;

/**
 * Starts the loop that asks about payments that webhooks named, and that nobody has got an answer about since. Any number of
 * processes may run the loop. Stopping waits for the look-ups under way.
 */
export const startLookUps = (app: App): Loop =>
  startWorks({
    ...{ name: 'look-ups', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    takeUp: () => takeUp(app),
  });

/** Looks some due payments up, and waits for them. True when something was due. */
export async function lookUpDue(app: App): Promise<boolean> {
  const due = await takeUp(app);
  await Promise.all(due.map((run) => run()));
  return due.length > 0;
}

/** Claims due payments. A round takes no more than one payment service has places. */
async function takeUp(app: App): Promise<readonly Work[]> {
  const desk = deskOf(app.db);
  const limit = Math.min(desk.free(), PLACES_OF_SERVICE);
  if (limit <= 0) return [];
  const now = app.clock.now();
  const due = await claimReportedDue(app.db, claimTimes(app, now), { limit, busy: desk.busy(now) });
  return due.map((reported) => () => lookUpDuePayment(app, reported));
}
