import { expect, it } from '@jest/globals';
import { describeHistory } from './history.ts';
import type { Plan } from './plan.ts';
import { run } from './run.ts';

const hasRules = ({ acts, circuits = false }: Plan): boolean =>
  !circuits && acts.some((act) => 'rules' in act);

const HISTORIES = 60;

it('each payment follows one rule, whatever fails at the providers', async () => {
  let played = 0;
  const { failures, tally } = await run({
    ...{ seed: 1, from: 0, until: 5_000, lanes: 1, wanted: hasRules, kind: 'sandbox' },
    enough: ({ violations }) => violations.length > 0 || ++played === HISTORIES,
  });

  expect(failures.map(describeHistory)).toEqual([]);
  expect(played).toBe(HISTORIES);
  const ends = [...(tally.get('ends of rules') ?? [])].map(([end]) => end);
  expect(ends).toEqual(expect.arrayContaining(['order', 'split', 'positions']));
  expect(ends).toContainEqual(expect.stringContaining('retried'));
  expect(ends).toContainEqual(expect.stringContaining('by another rule'));
  expect(tally.get('answers')?.get('RefusedByRoutingRule')).toBeGreaterThan(0);
}, 200_000);
