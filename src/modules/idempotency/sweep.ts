import type { App } from '../../app.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { sweepStep, type KeyPlace } from './sweep.sql.ts';

/**
 * Starts the loop that removes expired idempotency keys, in short statements with pauses. Every process may run one.
 *
 * The loop walks the table by its primary key. An index by expiry would make each payment slower.
 */
export function startKeySweeper(app: Pick<App, 'db' | 'clock' | 'log'>): Loop {
  const { clock, log } = app;
  let place = BEGINNING;
  const run = async (signal: AbortSignal): Promise<boolean> => {
    const next = await sweepAfter(app, place);
    place = next ?? BEGINNING;
    if (next) await clock.sleep(STEP_PAUSE_MS, signal);
    return next !== null && !signal.aborted;
  };
  return startLoop({ name: 'key-sweeper', idleMs: IDLE_MS, clock, log, run });
}

export const BEGINNING: KeyPlace = { account: '', operation: '', key: '' };

/** Removes the expired keys of one step. Returns the place to continue from, or null at the end. */
export async function sweepAfter(
  { db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>,
  place: KeyPlace,
): Promise<KeyPlace | null> {
  const last = await sweepStep(db, { ...place, now: clock.now(), limit: STEP_ROWS });
  if (!last) return null;
  const { removed, ...next } = last;
  if (removed > 0) log.debug({ removed }, 'Expired idempotency keys were removed.');
  return next;
}

/** The records of one statement: some milliseconds of work. */
const STEP_ROWS = 500;

/** The pause between two steps. Ten million records then take about half an hour. */
const STEP_PAUSE_MS = 100;

/** The pause between two walks through the table. */
const IDLE_MS = 3_600_000;
