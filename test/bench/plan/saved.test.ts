import { expect, it } from '@jest/globals';
import { sectionOf } from '../results.ts';
import type { OfPayment } from './costs.ts';
import { DAYS, describeAssumptions } from './plan.ts';
import { endsOf, perDayOf, planFor } from './reckon.ts';

type Row = readonly string[];

/** Returns the rows of a table without its head. */
const rowsOf = (text: string): readonly Row[] =>
  text
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** The tables of the saved run: costs, assumptions, plans and ends. */
const section = await sectionOf('plan');
const [costs = [], assumptions = [], plans = [], ends = []] = (section.match(/^(?:\|.*\n)+/gm) ?? []).map(
  rowsOf,
);

/** Reads a number such as `1,157`, `60 %` or `0.4 GB`. */
const numberOf = (text = ''): number => Number.parseFloat(text.replaceAll(',', ''));

const costOf = (start: string): number => {
  const row = costs.find(([name = '']) => name.startsWith(start));
  if (row === undefined) throw new Error(`No cost begins with "${start}".`);
  return numberOf(row[1]);
};

/** The costs of the saved run, as exact as they are printed. */
function savedCosts(): OfPayment {
  const kb = (start: string): number => costOf(start) * 1_000;
  const [, many] = /The mean of ([\d,]+) payments/.exec(section) ?? [];
  const [, few] = /log of each of (\d+) payments/.exec(section) ?? [];
  return {
    apiMs: costOf('processor time of the role `api`'),
    workerMs: costOf('processor time of the role `worker`'),
    postgresMs: costOf('processor time of Postgres'),
    walBytes: kb('log of Postgres (WAL)'),
    wal: {
      atRest: kb('log from one checkpoint'),
      few: { payments: Number(few), bytesEach: kb('log of each of') },
      many: numberOf(many),
    },
    diskBytes: {
      ever: kb('disk for ever'),
      events: kb(`disk for ${DAYS.events} days`),
      keys: kb(`disk for ${DAYS.keys} days`),
      audit: kb(`disk for ${DAYS.audit} days`),
    },
    events: numberOf(/each of its ([\d.]+) events/.exec(section)?.[1]),
  };
}

/** A printed figure has two digits at least, and comes from costs with as many. */
function expectAbout(printed: string | undefined, exact: number): void {
  expect(Math.abs(numberOf(printed) - exact)).toBeLessThanOrEqual(
    Math.max(0.06, exact * 0.03, exact > 10 ? 1 : 0),
  );
}

it('the saved plan follows from the saved costs', () => {
  const of = savedCosts();

  expect(plans).not.toEqual([]);
  for (const [perDay, ...figures] of plans) {
    const plan = planFor(numberOf(perDay), of, DAYS);
    const { perSecond, apis, workers, cores, memoryGb, walGbPerDay, diskGb, furtherGb } = plan;
    const exact = [perSecond, apis, workers, cores, memoryGb, walGbPerDay, diskGb, furtherGb];
    exact.forEach((value, nth) => expectAbout(figures[nth], value));
  }
});

it('the saved ends follow from the saved costs', () => {
  const of = savedCosts();
  const expected = endsOf(of, costOf('events a second through the relay'));

  expect(ends.map(([part]) => part)).toEqual(expected.map(({ part }) => part));
  expected.forEach(({ perSecond }, nth) => {
    const [, saved, perDay, wal] = ends[nth] ?? [];
    expectAbout(saved, perSecond);
    expectAbout(perDay, perDayOf(perSecond));
    expectAbout(wal, (perSecond * of.walBytes) / 1e6);
  });
});

it('the saved assumptions are those of the code', () => {
  expect(assumptions.length).toBeGreaterThan(4);
  expect(rowsOf(describeAssumptions())).toEqual(expect.arrayContaining([...assumptions]));
});
