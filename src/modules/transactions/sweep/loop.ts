import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { leaseUntil, longestDeadlineMs } from '../../payment-services/index.ts';
import { readHold, type Hold } from '../hold/hold.ts';
import { AGES_MS, firstPlaces, looksOfRound, placeAt, ROUND_MS, roundOfMinute, SILENT_MS } from './passes.ts';
import { prove } from './prove.ts';
import { sweepPayment } from './sweep-payment.ts';
import { claimSweeps, keepSweep, nextPayments, type Sweep } from './sweeps.sql.ts';

/** The most payment services that one process sweeps at once. Each has one look under way. */
const AT_ONCE = 4;

/**
 * Starts the loop that compares open payments with the books of their providers. So operations without a webhook are found.
 * Young payments come first, within the setting `PAYGRAPH_BOOKS_CALLS_PER_MINUTE` for each payment service.
 *
 * The payment service that waits longest takes each free place at once, so a slow provider delays no other. Any number of
 * processes may run the loop. Stopping waits for the looks under way.
 */
export function startBooksSweep(app: App): Loop {
  const underWay = new Set<Promise<void>>();
  const loop: Loop = startLoop({
    ...{ name: 'books', idleMs: ROUND_MS, clock: app.clock, log: app.log },
    run: async () => {
      for (const run of await takeUp(app, AT_ONCE - underWay.size)) {
        const round = run().finally(() => {
          underWay.delete(round);
          // A place is free now.
          loop.poke();
        });
        underWay.add(round);
      }
      return false;
    },
  });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}

/** Sweeps one round of each due payment service. True when something was due. */
export async function sweepDue(app: App): Promise<boolean> {
  const callsPerMinute = app.config.PAYGRAPH_BOOKS_CALLS_PER_MINUTE;
  const definitions = readingDefinitions(app);
  if (callsPerMinute === 0 || definitions.length === 0) return false;
  const now = app.clock.now();
  const limit = looksOfRound(callsPerMinute, roundOfMinute(now));
  if (limit === 0) return false;
  const lease = leaseUntil(now, limit * longestDeadlineMs(app));
  const claim = { now, leaseUntil: lease, limit: AT_ONCE, definitions, first: firstPlaces(now) };
  const [due, hold] = await Promise.all([claimSweeps(app.db, claim), readHold(app.db)]);
  await Promise.all(due.map((sweep) => sweepOne(app, sweep, { limit, hold })));
  return due.length > 0;
}

/** Returns the definitions whose connectors read a payment whole. */
export const readingDefinitions = ({ connectors }: Pick<App, 'connectors'>): readonly string[] =>
  connectors.flatMap((connector) =>
    'readBooks' in connector ? connector.definitions.map(({ id }) => id) : [],
  );

/** Sweeps one round of a payment service. A round that throws is logged, and repeated after its lease. */
async function sweepOne(app: App, sweep: Sweep, bounds: Bounds): Promise<void> {
  const { merchantAccountId, paymentServiceId } = sweep;
  try {
    const { isSilent, ...progress } = await goOn(app, sweep, bounds);
    const nextAt = new Date(app.clock.now().getTime() + (isSilent ? SILENT_MS : ROUND_MS));
    await keepSweep(app.db, sweep, { ...progress, nextAt });
  } catch (error) {
    app.log.error({ merchantAccountId, paymentServiceId, err: error }, 'Payments could not be compared.');
  }
}

type Bounds = { readonly limit: number; readonly hold: Hold | null };
type Round = Pick<Sweep, 'places' | 'proof'> & { readonly isSilent: boolean };

/** Compares the next payments. After a restore, the payments that nobody has compared since then come first. */
async function goOn(app: App, sweep: Sweep, { limit, hold }: Bounds): Promise<Round> {
  if (!hold) return { ...(await compareByAge(app, sweep, { limit, hold })), proof: sweep.proof };
  const { proof, looks, isSilent } = await prove(app, sweep, { hold, limit });
  if (isSilent || looks === limit) return { places: sweep.places, proof, isSilent };
  return { ...(await compareByAge(app, sweep, { limit: limit - looks, hold })), proof };
}

/** Compares the next payments, the youngest age first. Stops at the limit, and at a provider without an answer. */
async function compareByAge(app: App, sweep: Sweep, { limit, hold }: Bounds): Promise<Omit<Round, 'proof'>> {
  const places = [...sweep.places];
  let left = limit;
  for (const [index, ageMs] of AGES_MS.entries()) {
    const now = app.clock.now();
    const until = new Date(now.getTime() - ageMs);
    const payments = await nextPayments(app.db, sweep, places[index] ?? placeAt(now, ageMs), {
      until,
      limit: left,
    });
    for (const payment of payments) {
      const look = await sweepPayment(app, sweep.paymentServiceId, payment, { isHeld: hold !== null });
      if (look === 'silent') return { places, isSilent: true };
      places[index] = { at: payment.transaction.createdAt.toISOString(), id: payment.transaction.id };
    }
    if (payments.length === left) return { places, isSilent: false };
    places[index] = placeAt(now, ageMs);
    left -= payments.length;
  }
  return { places, isSilent: false };
}
