import type { App } from '../../app.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { changeLink } from './change.ts';
import { LEASE_MS } from './pay/begin.ts';
import { finishPayment } from './pay/finish.ts';
import { claimDueAttempts, type LeasedAttempt } from './store/attempts.ts';
import { lockLapsed } from './store/links.ts';

/** How many attempts are looked at in one round, and how many links expire in one transaction. */
const LOOKS_MAX = 16;
const LAPSES_MAX = 20;

/** How often it looks for what is due when there was nothing more to do. */
const IDLE_MS = 1_000;

/**
 * Starts the sweeper of payment links: it writes down that links have expired, and brings links that are being paid to what
 * their payments come to, as soon as these are decided, whoever died on the way. Poked when a payment of a link moves on here;
 * that of another process it finds by itself. Any number of processes may run it.
 */
export const startPaymentLinkSweeper = (app: App): Loop =>
  startLoop({
    name: 'payment links',
    idleMs: IDLE_MS,
    clock: app.clock,
    log: app.log,
    run: async () => {
      const lapsed = await expireLapsed(app);
      const looked = await finishDue(app);
      return lapsed || looked;
    },
  });

/** Writes that links have expired, with an event of each, in one commit; true when there may be more. */
export async function expireLapsed(app: App): Promise<boolean> {
  const count = await app.db.transaction(async (tx) => {
    const links = await lockLapsed(tx, LAPSES_MAX);
    for (const link of links) await changeLink(app, tx, link, 'expire');
    return links.length;
  });
  if (count > 0) app.wakeRelay();
  return count === LAPSES_MAX;
}

/** Looks what became of the attempts that are due; true when there may be more. */
export async function finishDue(app: App): Promise<boolean> {
  const now = app.clock.now();
  const lookAt = new Date(now.getTime() + LEASE_MS);
  const due = await claimDueAttempts(app.db, { now, lookAt, limit: LOOKS_MAX });
  await Promise.all(due.map((attempt) => finishOne(app, attempt)));
  return due.length === LOOKS_MAX;
}

/** One that throws is logged and comes up again. */
async function finishOne(app: App, attempt: LeasedAttempt): Promise<void> {
  try {
    await finishPayment(app, attempt);
  } catch (error) {
    app.log.error(
      { paymentLinkId: attempt.paymentLinkId, err: error },
      'What became of a payment could not be written down; it is tried again.',
    );
  }
}
