import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { claimDueResponses } from './response.sql.ts';
import { sendResponse } from './send.ts';

/** The most responses that one process sends at once. */
const AT_ONCE = 4;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 5_000;

/**
 * Starts the loop that sends responses without a clear answer again, under the same key. Any number of processes may run the
 * loop.
 */
export const startDisputeResponder = (app: App): Loop =>
  startLoop({
    ...{ name: 'disputes', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => sendDueResponses(app),
  });

/** Sends the due responses and waits for all of them. True when more may be due. */
export async function sendDueResponses(app: App): Promise<boolean> {
  const now = app.clock.now();
  const due = await claimDueResponses(app.db, {
    now,
    leaseUntil: leaseOf(app, now),
    limit: AT_ONCE,
  });
  const sent = await Promise.allSettled(due.map((response) => sendResponse(app, response)));
  for (const [index, { status }] of sent.entries())
    if (status === 'rejected')
      app.log.error(
        { responseId: due[index]?.id },
        'A response to a dispute could not be sent. It is retried.',
      );
  return due.length === AT_ONCE;
}
