import { describe, expect, it } from '@jest/globals';
import { leaseUntil } from '../../src/modules/payment-services/index.ts';
import {
  decisionEnd,
  nextAttemptAt,
  nextDecisionAt,
} from '../../src/modules/transactions/settle/schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const msFromNow = (moment: Date | null): number | null => moment && moment.getTime() - NOW.getTime();

describe('an operation with an unknown outcome', () => {
  it.each([
    [1, 2 * SECOND],
    [2, 4 * SECOND],
    [3, 8 * SECOND],
    [4, 16 * SECOND],
    [5, 30 * SECOND],
    [6, 30 * SECOND],
    [100, 30 * SECOND],
    [20_160, 30 * SECOND],
  ])('is due again, after %d look-ups, after %d ms', (attempts, ms) => {
    expect(msFromNow(nextAttemptAt(NOW, { attempts, createdAt: ago(MINUTE) }))).toBe(ms);
  });

  it.each([
    ['at once', 0, 30 * SECOND],
    ['a millisecond before seven days', 7 * DAY - 1, 30 * SECOND],
    ['after seven days', 7 * DAY, null],
    ['after a year', 365 * DAY, null],
  ])('%s from its creation is next due in this many ms, null: never by itself', (_, ageMs, ms) => {
    expect(msFromNow(nextAttemptAt(NOW, { attempts: 9, createdAt: ago(ageMs) }))).toBe(ms);
  });

  it('is looked up 20 000 times at most before a person has to resolve it', () => {
    let looks = 0;
    const createdAt = NOW;
    for (let now: Date | null = NOW; now; looks++)
      now = nextAttemptAt(now, { attempts: looks + 1, createdAt });

    // The looks are 2 + 4 + 8 + 16 s apart, then 30 s for the rest of seven days. One more finds the end of the week.
    expect(looks).toBe(4 + Math.ceil((7 * DAY - 30 * SECOND) / (30 * SECOND)) + 1);
  });
});

describe('an operation that the provider decides later', () => {
  it.each([
    [0, MINUTE],
    [59 * MINUTE, MINUTE],
    [HOUR - 1, MINUTE],
    [HOUR, 15 * MINUTE],
    [DAY - 1, 15 * MINUTE],
    [DAY, 6 * HOUR],
    [30 * DAY, 6 * HOUR],
  ])('is looked up, when accepted %d ms ago, after %d ms, and is never given up', (ageMs, ms) => {
    expect(msFromNow(nextDecisionAt(NOW, { acceptedAt: ago(ageMs), decisionUntil: null }))).toBe(ms);
  });

  it.each([
    ['before the next look', 5 * HOUR, 5 * HOUR],
    ['after the next look', 7 * HOUR, 6 * HOUR],
    ['in the past', -HOUR, 6 * HOUR],
  ])('is looked up at the end of its window too: %s', (_, endMs, ms) => {
    const decisionUntil = ago(-endMs);
    expect(msFromNow(nextDecisionAt(NOW, { acceptedAt: ago(2 * DAY), decisionUntil }))).toBe(ms);
  });

  it.each([
    ['without a buyer', null, DAY],
    ['that the buyer approves early', 3 * HOUR, DAY],
    ['that the buyer approves late', 3 * DAY, 3 * DAY + HOUR],
  ])('has a window %s', (_, approvalMs, ms) => {
    const approvalEnd = approvalMs === null ? null : ago(-approvalMs);
    expect(msFromNow(decisionEnd(NOW, DAY, approvalEnd))).toBe(ms);
  });
});

it.each([
  [1, 5_001],
  [10_000, 15_000],
  [120_000, 125_000],
])('with a deadline of %d ms an operation belongs to its caller for %d ms', (deadlineMs, ms) => {
  expect(msFromNow(leaseUntil(NOW, deadlineMs))).toBe(ms);
});
