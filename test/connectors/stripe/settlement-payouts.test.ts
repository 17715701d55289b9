import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fetchSettlements } from '../../../src/connectors/calls/call-settlements.ts';
import type { SettlementEntry } from '../../../src/connectors/notices/settlements.ts';
import { payAt } from './contract-double.ts';
import { LOG, startDesk } from './double-desk.ts';

let desk: Awaited<ReturnType<typeof startDesk>>;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

const MINUTE_MS = 60_000;

/** Fetches from a place to the end. */
async function fetchAll(since: Date, from: string | null = null) {
  const entries: SettlementEntry[] = [];
  for (let cursor = from; ;) {
    const answer = await fetchSettlements(desk.stripe, desk.contextOf(), LOG, {
      ...{ cursor, since, now: desk.now() },
      booked: () => Promise.reject(new Error('A real provider has no use for the books')),
    });
    if (answer.kind !== 'page') throw new Error(JSON.stringify(answer));
    entries.push(...answer.entries);
    ({ cursor } = answer);
    if (!answer.more) return { entries, cursor };
  }
}

const namesOf = (entries: readonly SettlementEntry[], payout: string | null): number =>
  new Set(
    entries.filter(({ payoutReference }) => payoutReference === payout).map(({ reference }) => reference),
  ).size;

const asked = (start: number): readonly string[] =>
  desk.double.requests
    .slice(start)
    .map(({ path }) => path)
    .filter((path) => path.includes('payout'));

it('entries name their payout once Stripe has reconciled the payout, page by page, and once', async () => {
  const { double, pass } = desk;
  // Before the first fetch, so that the entry is never reported.
  await payAt(double);
  pass(MINUTE_MS);
  const since = desk.now();
  for (let count = 0; count < 101; count += 1) await payAt(double);
  pass(MINUTE_MS);
  const payout = double.hands.payOut('usd', 'in_progress') ?? '';
  pass(MINUTE_MS);

  const first = await fetchAll(since);
  expect([namesOf(first.entries, null), namesOf(first.entries, payout)]).toEqual([101, 1]);
  pass(15 * MINUTE_MS);
  const second = await fetchAll(since, first.cursor);
  expect(namesOf(second.entries, payout)).toBe(1);

  double.hands.reconcilePayout(payout);
  const third = await fetchAll(since, second.cursor);
  expect(namesOf(third.entries, payout)).toBe(102);

  const start = double.requests.length;
  const fourth = await fetchAll(since, third.cursor);
  expect(namesOf(fourth.entries, payout)).toBe(1);
  expect(asked(start)).toEqual([]);
});

it('a payout that a person starts names no entries, and Stripe is not asked', async () => {
  const { double, pass } = desk;
  pass(24 * 60 * MINUTE_MS);
  const since = desk.now();
  await payAt(double);
  const payout = double.hands.payOut('usd', 'not_applicable') ?? '';
  pass(MINUTE_MS);
  const start = double.requests.length;

  const { entries } = await fetchAll(since);

  expect([namesOf(entries, null), namesOf(entries, payout)]).toEqual([1, 1]);
  expect(asked(start)).toEqual([]);
});

it('a cursor from before the payouts goes on', async () => {
  const since = desk.now();
  const cursor = JSON.stringify({ from: Math.floor(since.getTime() / 1_000), to: null, after: null });
  desk.pass(MINUTE_MS);
  expect((await fetchAll(since, cursor)).entries).toEqual([]);
});
