import { describe, expect, it } from '@jest/globals';
import { FAILPOINTS } from './aims.ts';
import { REAL_PLACES } from './harness.ts';
import { describeHistory } from './history.ts';
import { describePlan, makePlan } from './plan.ts';
import { describeSums } from './report.ts';
import { run } from './run.ts';
import { noSlices, withSlice } from './slices.ts';

// simulation.long.test.ts plays further histories, until every failpoint and every fault has been covered. There each real
// provider has histories of its own.

const SEED = 1;
const HISTORIES = 20;

describe('a seed', () => {
  it('always gives the same plan for one history, and another plan for another history', () => {
    const plans = Array.from({ length: 50 }, (_, index) => describePlan(makePlan(SEED, index)).join('\n'));

    expect(plans).toEqual(
      Array.from({ length: 50 }, (_, index) => describePlan(makePlan(SEED, index)).join('\n')),
    );
    expect(new Set(plans).size).toBe(50);
    expect(describePlan(makePlan(SEED + 1, 0))).not.toEqual(describePlan(makePlan(SEED, 0)));
  });

  it('draws each real provider, and then plans the history as for this provider alone', () => {
    const plans = Array.from({ length: 50 }, (_, index) => makePlan(SEED, index, 'all'));
    const alone = plans.map(({ index, real }) => makePlan(SEED, index, real ?? 'sandbox'));

    expect(plans).toEqual(alone);
    expect(new Set(plans.map(({ real }) => real))).toEqual(new Set(REAL_PLACES));
  });
});

/** Failpoints of buyers' decisions and of gift cards. */
const OF_BUYERS = [
  ...['authentication.waiting', 'authentication.refused', 'authentication.concluded', 'approval.decided'],
  ...['gift-cards.redeemed', 'gift-cards.refused', 'redeem.resent', 'unredeem.settled'],
];

/** Failpoints of anti-fraud checks and of the ends of reviews. */
const OF_FRAUD = [
  ...['anti_fraud_check.claimed', 'anti_fraud_check.called'],
  ...['anti-fraud.deciding', 'anti-fraud.decided', 'anti-fraud.rejected'],
  ...['stored', 'matched', 'resolved', 'applied'].map((point) => `inbound-review.${point}`),
];

describe('the failpoints of the module', () => {
  it('are found in its sources, one for each kind of operation', () => {
    const kinds = ['authorize', 'capture', 'refund', 'void', 'cancel'];
    const points = ['claimed', 'called', 'settling', 'settled', 'accepting', 'accepted'];
    const asking = ['looking', 'looked', 'resending', 'resent'];
    const known = kinds.flatMap((kind) => [...points, ...asking].map((point) => `${kind}.${point}`));

    expect(FAILPOINTS).toEqual(
      expect.arrayContaining([
        ...known,
        'authorize.rerouting',
        'authorize.rerouted',
        ...OF_BUYERS,
        ...OF_FRAUD,
      ]),
    );
  });
});

describe('the histories of a seed', () => {
  it('move no money wrongly, lose nothing and leave nothing unexplained', async () => {
    // In one lane, because the first histories of each lane are slow.
    const slice = await run({ seed: SEED, from: 0, until: HISTORIES, lanes: 1 });

    process.stdout.write(`\n${describeSums(withSlice(noSlices(SEED), slice))}\n`);
    expect(slice.failures.map(describeHistory)).toEqual([]);
    expect(slice.next).toBe(HISTORIES);
  }, 200_000);

  it('share the money of payments without a rest and without an excess', async () => {
    const slice = await run({ seed: SEED, from: 0, until: HISTORIES, lanes: 1, kind: 'splits' });

    expect(slice.failures.map(describeHistory)).toEqual([]);
    expect(slice.tally.get('effects')?.get('payments with splits')).toBeGreaterThan(HISTORIES / 2);
  }, 200_000);
});
