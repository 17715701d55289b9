import { describe, expect, it } from '@jest/globals';
import { bugs } from './bugs.ts';
import { describeHistory } from './history.ts';
import { CAUGHT_WITHIN, hunt, playKept } from './hunt.ts';

/** Without constraints, the seeded races do harm within so many histories. */
const RACES_WITHIN = 100;

/** With constraints, so many histories of each race must keep the money right. */
const KEPT = 20;

/** Allows for a machine under load. */
const TIMEOUT_MS = 300_000;

const named = bugs.map((bug) => [bug.name, bug] as const);
const races = named.filter(([, { race }]) => race);

it('there are at least twelve mistakes to catch, and some of them are races', () => {
  expect(bugs.length).toBeGreaterThanOrEqual(12);
  expect(races.length).toBeGreaterThanOrEqual(3);
});

describe('the histories catch', () => {
  it.each(named)(
    '%s',
    async (_, bug) => {
      const caught = await hunt(bug);

      expect(caught?.by.kind).toBe(bug.shows);
      expect(caught?.played).toBeLessThanOrEqual(bug.race ? RACES_WITHIN : CAUGHT_WITHIN);
    },
    TIMEOUT_MS,
  );
});

describe('the constraints of the database', () => {
  it.each(races)(
    'keep the money right in the same histories when there is %s',
    async (_, bug) => {
      const { run, wrong } = await playKept(bug, KEPT);

      expect(run.next - run.from).toBe(KEPT);
      expect(wrong).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('a history that shows a mistake', () => {
  it(
    'shows it again, line by line, in every replay',
    async () => {
      const bug = bugs.find(({ name }) => name === 'a call that timed out counts as failed');
      if (!bug) throw new Error('There is no such mistake.');

      const [first, second] = [await hunt(bug), await hunt(bug)];

      expect(first?.history.violations.length).toBeGreaterThan(0);
      expect(first && describeHistory(first.history)).toEqual(second && describeHistory(second.history));
    },
    TIMEOUT_MS,
  );
});
