import type { App } from '../../app.ts';
import { readsWaitedMs } from '../../graph/reading.ts';
import type { LoopTurns } from '../../platform/fairness/loop-turns.ts';

/** The work of merchant accounts that waits in this process. */
export type Load = {
  /** True while older work of the account waits too long. A new request would only wait behind it. */
  isBehind(merchantAccountId: string): boolean;
  /** True while older reads of the account wait too long. */
  readsAreBehind(merchantAccountId: string): boolean;
};

/** A read has one or two turns, and a payment several. So a read may wait longer for one. */
const OF_READS = 4;

/**
 * Measures the load by the waits for turns. Turns are fair, so only an account that wants more than its share waits long. So the work
 * that is refused first is that of the account with the most work. Requests that arrive at once are all accepted, because none of them
 * waits yet.
 */
export function createLoad(app: App, turns: LoopTurns): Load {
  const lateMs = app.config.PAYGRAPH_LATE_WORK_MS ?? Infinity;
  return {
    isBehind: (owner) => Math.max(app.db.waitedMs(owner), turns.waitedMs(owner)) > lateMs,
    readsAreBehind: (owner) => readsWaitedMs(app, owner) > lateMs * OF_READS,
  };
}
