import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { DELIVERY_WINDOW_MS } from '../delivery/schedule.ts';
import { cancelOrphans, moveChunk } from './replay.sql.ts';

/**
 * Works on replays, a chunk at a time and the jobs in turn. Every process may run one; a job is one process' at a time, and
 * when that dies the next goes on behind the last chunk that was committed.
 */
export const startReplayer = (app: App): Loop =>
  startLoop({
    name: 'replayer',
    idleMs: IDLE_MS,
    clock: app.clock,
    log: app.log,
    run: () => replayOnce(app),
  });

const IDLE_MS = 250;

/**
 * A job queues no more while so many deliveries of its endpoint are due, and so many at most at a time: what happens
 * meanwhile waits behind no more than these, and an endpoint that takes nothing holds up only its own replays.
 */
const DUE_MAX = 200;

/** Events that are looked at in one step: some 20 ms of work however few of them are queued. */
const SCAN_MAX = 2_000n;

/** One step of one job; true when there may be more to do. */
export async function replayOnce(app: App): Promise<boolean> {
  const now = app.clock.now();
  const deadline = new Date(now.getTime() + DELIVERY_WINDOW_MS);
  await cancelOrphans(app.db, now);
  return await moveChunk(app.db, { now, deadline, dueMax: DUE_MAX, scanMax: SCAN_MAX });
}
