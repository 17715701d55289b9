import { setImmediate as nextRound } from 'node:timers/promises';
import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { findSettlementTotals } from '../../settlements/index.ts';
import { readPastPayments, replayThrough, type PastPayment, type Replay } from '../../transactions/index.ts';
import { countPayment } from '../model/count.ts';
import { resultOf } from '../model/expect.ts';
import { newTally, tallyFromText, type Tally } from '../model/tally.ts';
import { claimSimulation, recordPages, type Claimed, type ReadPages } from './claim.sql.ts';
import { comparedPayment, comparedRoute } from './compare.ts';
import { simulatedVersion } from './simulated-version.ts';

/** The pause of an idle loop. */
const IDLE_MS = 500;

/** The time for the pages of a turn. */
const LEASE_MS = 5 * 60_000;

/** The time after which a turn ends with the page that is being read. So the progress shows, and simulations take turns. */
const TURN_MS = 1_000;

/** The payments that are decided before the event loop goes round. They take some milliseconds. */
const ROUND = 50;

/** The failed turns in a row that end a simulation, and the pause after the first. The death of a process is a failure, too. */
const FAILURES_MAX = 5;
const PAUSE_MS = 10_000;

/**
 * Starts the loop that plays past payments, one turn at a time and the simulations in turn. Every process may run one. One process at
 * a time works on a simulation. When that process dies, another continues after the last committed turn.
 */
export const startRoutingSimulator = (app: App): Loop =>
  startLoop({
    ...{ name: 'routing simulations', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => simulateNextPages(app),
  });

/**
 * Plays the next pages of the simulation that has waited longest. Keeps one page and the counts in memory, and no transaction open
 * while reading. Returns true when more work may be due. A crash before the commit leaves the counts as they were.
 */
export async function simulateNextPages(app: App): Promise<boolean> {
  const now = app.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const claimed = await claimSimulation(app.db, { now, leaseUntil, lease: app.ids.uuid() });
  if (!claimed) return false;
  await failpoint('simulations.claimed');
  if (claimed.failures >= FAILURES_MAX) {
    await recordEnd(app, claimed, claimed.failures);
    return true;
  }
  try {
    await playTurn(app, claimed);
  } catch (error) {
    await recordFailure(app, claimed, error);
  }
  return true;
}

async function playTurn(app: App, claimed: Claimed): Promise<void> {
  const { hasMore, ...read } = await readPages(app, claimed);
  const nextAt = app.clock.now();
  await failpoint('simulations.counted');
  const end = { status: 'succeeded', endedAt: nextAt, result: resultOf(read.tally) } as const;
  await recordPages(app.db, claimed, { failures: 0, nextAt, read, ...(!hasMore && { end }) });
  await failpoint('simulations.committed');
}

/** Reads pages until the time of the turn is over, or no page is left. */
async function readPages(app: App, claimed: Claimed): Promise<ReadPages & { readonly hasMore: boolean }> {
  const { merchantAccountId, from, to, sample } = claimed;
  const tally = claimed.tally === null ? newTally() : tallyFromText(claimed.tally);
  const version = await simulatedVersion(app, claimed);
  const replay = replayThrough(app, merchantAccountId, version);
  const endsAt = app.clock.now().getTime() + TURN_MS;
  let { place } = claimed;
  for (let scanned = 0; ;) {
    const page = await readPastPayments(app.db, merchantAccountId, { from, to, sample, after: place });
    await failpoint('simulations.read');
    await countPage(app, { merchantAccountId, tally, replay, payments: page.payments });
    scanned += page.scanned;
    place = page.last ?? place;
    const hasMore = page.last !== null;
    if (!hasMore || app.clock.now().getTime() >= endsAt) return { tally, scanned, place, hasMore };
  }
}

type PageOfPayments = {
  readonly merchantAccountId: string;
  readonly tally: Tally;
  readonly replay: Replay;
  readonly payments: readonly PastPayment[];
};

/** Counts a page. The event loop goes round between some payments, so that other work of the process goes on. */
async function countPage(
  app: App,
  { merchantAccountId, tally, replay, payments }: PageOfPayments,
): Promise<void> {
  const captured = payments.filter(({ capturedAmount }) => capturedAmount > 0).map(({ id }) => id);
  const totals = await findSettlementTotals(app, { merchantAccountId }, captured);
  const settled = new Map(captured.map((id, place) => [id, totals[place] ?? []]));
  for (const [place, payment] of payments.entries()) {
    if (place % ROUND === 0) await nextRound();
    const route = await replay(payment);
    const compared = comparedPayment(payment, settled.get(payment.id) ?? []);
    countPayment(tally, compared, route && comparedRoute(route));
  }
}

/** Ends the simulation after several failures in a row. Before, another attempt follows after a pause. */
async function recordFailure(app: App, claimed: Claimed, error: unknown): Promise<void> {
  const { merchantAccountId, id } = claimed;
  app.log.error({ merchantAccountId, simulationId: id, err: error }, 'A routing simulation failed to go on.');
  const failures = claimed.failures + 1;
  if (failures >= FAILURES_MAX) return await recordEnd(app, claimed, failures);
  const nextAt = new Date(app.clock.now().getTime() + failures * PAUSE_MS);
  await recordPages(app.db, claimed, { nextAt, failures });
}

async function recordEnd(app: App, claimed: Claimed, failures: number): Promise<void> {
  const now = app.clock.now();
  await recordPages(app.db, claimed, {
    ...{ nextAt: now, failures },
    end: { status: 'failed', endedAt: now, result: null },
  });
}
