import type { App } from '../../app.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { changeLink } from './change.ts';
import { LEASE_MS } from './pay/begin.ts';
import { finishPayment } from './pay/finish.ts';
import { claimDueAttempts, type LeasedAttempt } from './store/attempts.ts';
import { lockLapsed } from './store/links.ts';

/** The most attempts checked in one round, and the most links that expire in one transaction. */
const LOOKS_MAX = 16;
const LAPSES_MAX = 20;

/** The pause before the next check when nothing more is due. */
const IDLE_MS = 1_000;

/**
 * Starts the sweeper of payment links. It expires links and finishes links whose payments are decided, whichever
 * process died on the way. A payment that moves on in this process wakes it. Polling finds the payments of other
 * processes. Any number of processes may run it.
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

/** Expires lapsed links with an event of each, in one commit. Returns true when there may be more. */
export async function expireLapsed(app: App): Promise<boolean> {
  const count = await app.db.transaction(async (tx) => {
    const links = await lockLapsed(tx, LAPSES_MAX);
    for (const link of links) await changeLink(app, tx, link, 'expire');
    return links.length;
  });
  if (count > 0) app.wakeRelay();
  return count === LAPSES_MAX;
}

/** Checks the attempts that are due. Returns true when there may be more. */
export async function finishDue(app: App): Promise<boolean> {
  const now = app.clock.now();
  const lookAt = new Date(now.getTime() + LEASE_MS);
  const due = await claimDueAttempts(app.db, { now, lookAt, limit: LOOKS_MAX });
  await Promise.all(due.map((attempt) => finishOne(app, attempt)));
  return due.length === LOOKS_MAX;
}

/** An attempt that throws is logged and checked again later. */
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
