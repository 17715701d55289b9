import { expect, it } from '@jest/globals';
import { describeHistory, type History } from './history.ts';
import type { Plan } from './plan.ts';
import { run } from './run.ts';

const hasCircuits = ({ circuits = false }: Plan): boolean => circuits;

const HISTORIES = 60;

/** Plays histories with circuits, some of them with rules. */
async function play() {
  const played: History[] = [];
  const { failures, tally, digest } = await run({
    ...{ seed: 1, from: 0, until: 5_000, lanes: 1, wanted: hasCircuits, kind: 'sandbox' },
    enough: (history) => played.push(history) === HISTORIES || history.violations.length > 0,
  });
  return { failures, tally, digest, played };
}

it('circuits only change the order of services, whatever fails and whenever processes die', async () => {
  const { failures, tally, played, digest } = await play();

  expect(failures.map(describeHistory)).toEqual([]);
  expect(played).toHaveLength(HISTORIES);
  expect([...(tally.get('effects of circuits') ?? [])].map(([effect]) => effect).toSorted()).toEqual([
    ...['payment-service.circuit-closed', 'payment-service.circuit-opened', 'set behind', 'tried again'],
  ]);
  expect(tally.get('ends of rules')?.size).toBeGreaterThan(0);
  expect((await play()).digest).toBe(digest);
}, 200_000);
