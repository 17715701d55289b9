import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { DELIVERY_WINDOW_MS } from '../dispatch/schedule.ts';
import { cancelOrphans, moveChunk } from './replay.sql.ts';

/**
 * Starts the loop that works on replays, one chunk at a time and the jobs in turn. Every process may run one. One
 * process at a time works on a job. When that process dies, another continues after the last committed chunk.
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
 * The most due deliveries of an endpoint while a job queues more, and the most that a step queues. New events therefore
 * wait behind no more than these. An endpoint that accepts nothing delays only its own replays.
 */
const DUE_MAX = 200;

/** The most events that one step reads: some 20 ms of work, however few of them are queued. */
const SCAN_MAX = 2_000n;

/** Runs one step of one job. Returns true when more work may be ready. */
export async function replayOnce(app: App): Promise<boolean> {
  const now = app.clock.now();
  const deadline = new Date(now.getTime() + DELIVERY_WINDOW_MS);
  await cancelOrphans(app.db, now);
  return await moveChunk(app.db, { now, deadline, dueMax: DUE_MAX, scanMax: SCAN_MAX });
}
