import { expect, it } from '@jest/globals';
import type { ClaimedDelivery } from '../../src/modules/events/dispatch/store/claim.sql.ts';
import { createLanes } from '../../src/modules/events/dispatch/lanes.ts';
import type { SettledAttempt, Verdict } from '../../src/modules/events/dispatch/settled-attempt.ts';

type Delivery = Pick<ClaimedDelivery, 'endpointId' | 'position' | 'lease' | 'window'>;

/** Deliveries of an endpoint at the given positions, of one claim. */
const of = (endpointId: string, window: number, ...positions: readonly number[]): ClaimedDelivery[] =>
  positions.map((position) => {
    const delivery: Delivery = {
      endpointId,
      window,
      position: String(position),
      lease: `lease of ${endpointId}`,
    };
    return delivery as ClaimedDelivery;
  });

/** Lanes whose attempts and results end when the test says so. */
function startLanes({ max = 100, late = [] as readonly string[] } = {}) {
  const open = new Map<string, (verdict: Verdict) => void>();
  const unstored: (() => void)[] = [];
  const givenBack: string[] = [];
  let refills = 0;
  const lanes = createLanes({
    max,
    send: ({ position }) =>
      new Promise((resolve) => open.set(position, (verdict) => resolve({ verdict } as SettledAttempt))),
    store: () => new Promise((resolve) => unstored.push(resolve)),
    leftMs: ({ position }) => (late.includes(position) ? 9 : 11),
    neededMs: 10,
    refill: () => (refills += 1),
    giveBack: (deliveries) => givenBack.push(...deliveries.map(({ position }) => position)),
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    lanes,
    givenBack,
    refills: () => refills,
    underWay: () => [...open.keys()],
    answer: async (position: number, verdict: Verdict = 'success') => {
      open.get(String(position))?.(verdict);
      open.delete(String(position));
      await turn();
    },
    storeAll: async () => {
      unstored.splice(0).forEach((done) => done());
      await turn();
    },
  };
}

it('A lane has a window of deliveries under way, and the next starts before the result is stored', async () => {
  const { lanes, underWay, answer } = startLanes();
  lanes.add([...of('a', 2, 1, 2, 3, 4), ...of('b', 1, 5, 6)]);
  expect(underWay()).toEqual(['1', '2', '5']);

  await answer(1);

  expect(underWay()).toEqual(['2', '5', '3']);
  expect(lanes.size()).toBe(6);
});

it('A lane asks for more when half of its deliveries have started, and forgets the lease with the last', async () => {
  const { lanes, refills, answer, storeAll } = startLanes();
  lanes.add(of('a', 2, 1, 2, 3, 4, 5, 6, 7, 8));
  await answer(1);
  await storeAll();
  expect(refills()).toBe(0);

  for (const position of [2, 3]) await answer(position);
  await storeAll();
  expect(refills()).toBeGreaterThan(0);
  expect(lanes.leases()).toEqual(['lease of a']);

  for (const position of [4, 5, 6, 7, 8]) await answer(position);
  await storeAll();
  expect(lanes.leases()).toEqual([]);
  expect(lanes.size()).toBe(0);
});

it.each<[Verdict, readonly string[]]>([
  ['failure', ['3', '4']],
  ['gone', ['3', '4']],
  ['throttled', []],
])('After the verdict %s, a lane gives back %j', async (verdict, expected) => {
  const { lanes, underWay, givenBack, answer } = startLanes();
  lanes.add(of('a', 2, 1, 2, 3, 4));

  await answer(1, verdict);

  expect(givenBack).toEqual(expected);
  // A throttled endpoint goes on with half of its window.
  expect(underWay()).toEqual(['2']);
});

it('A delivery near the end of its lease does not start', () => {
  const { lanes, underWay } = startLanes({ late: ['1'] });
  lanes.add(of('a', 1, 1, 2));
  expect(underWay()).toEqual(['2']);
});

it('A lane that found no place under way starts when another lane ends', async () => {
  const { lanes, underWay, answer } = startLanes({ max: 1 });
  lanes.add([...of('a', 1, 1), ...of('b', 1, 2)]);
  expect(underWay()).toEqual(['1']);

  await answer(1);

  expect(underWay()).toEqual(['2']);
});

it('Emptied lanes start nothing more', async () => {
  const { lanes, underWay, answer } = startLanes();
  lanes.add(of('a', 1, 1, 2, 3));

  expect(lanes.empty().map(({ position }) => position)).toEqual(['2', '3']);
  await answer(1);

  expect(underWay()).toEqual([]);
});
