import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { claimDueResponses, type DueResponse } from './response.sql.ts';
import { sendResponse } from './send.ts';

/** The most responses that one process sends at once, in all and at one payment service. */
const AT_ONCE = 32;
export const AT_ONE_SERVICE = 4;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 5_000;

/**
 * Starts the loop that goes on with responses without an outcome, under the same key. A slow request delays no other, and a
 * silent provider delays no other payment service. Any number of processes may run the loop. Stopping waits for the requests
 * under way.
 */
export function startDisputeResponder(app: App): Loop {
  const underWay = new Map<Promise<void>, string>();
  const loop: Loop = startLoop({
    ...{ name: 'disputes', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: async () => {
      for (const due of await takeUp(app, [...underWay.values()])) {
        const sent = send(app, due).finally(() => {
          underWay.delete(sent);
          // A slot is free now.
          loop.poke();
        });
        underWay.set(sent, due.paymentServiceId);
      }
      return false;
    },
  });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay.keys());
    },
  };
}

/** Sends the due responses and waits for all of them. True when more may be due. */
export async function sendDueResponses(app: App): Promise<boolean> {
  const due = await takeUp(app, []);
  await Promise.all(due.map((each) => send(app, each)));
  return due.length > 0;
}

/** Claims due responses. `busy`: the payment service of each request under way. */
async function takeUp(app: App, busy: readonly string[]): Promise<readonly DueResponse[]> {
  const limit = AT_ONCE - busy.length;
  if (limit <= 0) return [];
  const now = app.clock.now();
  const sending = new Map([...Map.groupBy(busy, (id) => id)].map(([id, { length }]) => [id, length]));
  const moment = { now, leaseUntil: leaseOf(app, now) };
  return claimDueResponses(app.db, moment, { limit, perService: AT_ONE_SERVICE, sending });
}

/** Sends one response. A response that throws is logged, and retried after its lease. */
async function send(app: App, { response }: DueResponse): Promise<void> {
  try {
    await sendResponse(app, response);
  } catch {
    // The error may hold a secret.
    app.log.error({ responseId: response.id }, 'A response to a dispute could not be sent. It is retried.');
  }
}
