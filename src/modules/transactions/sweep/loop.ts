import type { App } from '../../../app.ts';
import type { Loop } from '../../../platform/loop.ts';
import { startWorks, type Work } from '../../../platform/works.ts';
import { leaseUntil, longestDeadlineMs } from '../../payment-services/index.ts';
import { readHold, type Hold } from '../hold/hold.ts';
import { AWAY_MS, firstPlaces, looksOfRound, ROUND_MS, roundOfMinute } from './passes.ts';
import { sweepRound } from './round.ts';
import { claimSweeps, keepSweep, type Sweep } from './store/sweeps.sql.ts';

/** The most payment services that one process sweeps at once. Each has one look under way. */
const AT_ONCE = 4;

/**
 * Starts the loop that compares open payments with the books of their providers. So operations without a webhook are found.
 * Young payments come first, within the setting `PAYGRAPH_BOOKS_CALLS_PER_MINUTE` for each payment service.
 *
 * The payment service that waits longest takes each free place at once. Any number of processes may run the loop. Stopping
 * waits for the looks under way.
 */
export const startBooksSweep = (app: App): Loop =>
  startWorks({
    ...{ name: 'books', idleMs: ROUND_MS, clock: app.clock, log: app.log },
    takeUp: (underWay) => takeUp(app, AT_ONCE - underWay),
  });

/** Sweeps one round of some due payment services, and waits for them. True when something was due. */
export async function sweepDue(app: App): Promise<boolean> {
  const due = await takeUp(app, AT_ONCE);
  await Promise.all(due.map((run) => run()));
  return due.length > 0;
}

/** Claims due payment services, the longest due first. Returns the rounds to run. */
async function takeUp(app: App, places: number): Promise<readonly Work[]> {
  const callsPerMinute = app.config.PAYGRAPH_BOOKS_CALLS_PER_MINUTE;
  const definitions = readingDefinitions(app);
  if (places === 0 || callsPerMinute === 0 || definitions.length === 0) return [];
  const now = app.clock.now();
  const limit = looksOfRound(callsPerMinute, roundOfMinute(now));
  if (limit === 0) return [];
  const lease = leaseUntil(now, limit * longestDeadlineMs(app));
  const claim = { now, leaseUntil: lease, limit: places, definitions, first: firstPlaces(now) };
  const [due, hold] = await Promise.all([claimSweeps(app.db, claim), readHold(app.db)]);
  return due.map((sweep) => () => sweepOne(app, sweep, { limit, hold, lease }));
}

/** Returns the definitions whose connectors read a payment whole. */
export const readingDefinitions = ({ connectors }: Pick<App, 'connectors'>): readonly string[] =>
  connectors.flatMap((connector) =>
    'readBooks' in connector ? connector.definitions.map(({ id }) => id) : [],
  );

type Bounds = { readonly limit: number; readonly hold: Hold | null; readonly lease: Date };

/** Sweeps one round of a payment service. A round that throws is logged, and repeated after its lease. */
async function sweepOne(app: App, sweep: Sweep, bounds: Bounds): Promise<void> {
  const { merchantAccountId, paymentServiceId } = sweep;
  try {
    const { isAway, places, proof } = await sweepRound(app, sweep, bounds);
    const nextAt = new Date(app.clock.now().getTime() + (isAway ? AWAY_MS : ROUND_MS));
    await keepSweep(app.db, sweep, { places, proof, nextAt, lease: bounds.lease });
  } catch (error) {
    app.log.error({ merchantAccountId, paymentServiceId, err: error }, 'Payments could not be compared.');
  }
}
