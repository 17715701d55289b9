import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { removePresentedCards } from '../store/presented-cards/presented-cards.ts';
import { NUMBERS_MS } from './refuse-guess.ts';

/** Starts the loop that removes the counts of presented cards after their windows. Every process may run one. */
export function startPresentedCardSweeper(app: Pick<App, 'db' | 'clock' | 'log'>): Loop {
  const { clock, log } = app;
  const run = async (signal: AbortSignal): Promise<boolean> => {
    const removed = await sweepPresentedCards(app);
    if (removed > 0) log.debug({ removed }, 'Old counts of card numbers were removed.');
    return removed === STEP_ROWS && !signal.aborted;
  };
  return startLoop({ name: 'presented-card-sweeper', idleMs: IDLE_MS, clock, log, run });
}

/** Removes the counts of one step. Returns their number. */
export const sweepPresentedCards = ({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<number> =>
  removePresentedCards(db, { over: new Date(clock.now().getTime() - NUMBERS_MS), limit: STEP_ROWS });

/** The rows of one statement: some milliseconds of work. */
const STEP_ROWS = 500;

/** The pause between two walks. */
const IDLE_MS = 600_000;
