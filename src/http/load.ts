import type { App } from '../app.ts';
import { readsWaitedMs } from '../graph/reading.ts';
import type { LoopTurns } from '../platform/fairness/loop-turns.ts';

/** The work of merchant accounts that waits in this process. */
export type Load = {
  /** True while older work of the account waits too long. A new request would only wait behind it. */
  isBehind(merchantAccountId: string): boolean;
  /** True while older reads of the account wait too long. */
  readsAreBehind(merchantAccountId: string): boolean;
};

/**
 * The longest wait of an account for one turn, in milliseconds. A payment takes several turns, so it then takes some seconds. Requests
 * that arrive at once are all accepted, because none of them waits yet.
 */
const LATE_MS = 500;

/** A read has one or two turns, and a search can take a second. */
const LATE_READ_MS = 2_000;

/**
 * Measures the load by the waits for turns. Turns are fair, so only an account that wants more than its share waits long. So the
 * work that is refused first is that of the account with the most work.
 */
export const createLoad = (app: App, turns: LoopTurns): Load => ({
  isBehind: (owner) => Math.max(app.db.waitedMs(owner), turns.waitedMs(owner)) > LATE_MS,
  readsAreBehind: (owner) => readsWaitedMs(app, owner) > LATE_READ_MS,
});
