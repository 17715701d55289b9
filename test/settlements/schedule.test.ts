import { describe, expect, it } from '@jest/globals';
import {
  afterFailure,
  afterPage,
  type SettlementSource,
} from '../../src/modules/settlements/fetch/source.ts';
import { nextMatchAt } from '../../src/modules/settlements/match/match.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const source = (given: Partial<SettlementSource> = {}): SettlementSource => ({
  ...{ merchantAccountId: 'm', paymentServiceId: 's', cursor: 'c1', nextFetchAt: NOW, fetchedAt: null },
  ...{ failures: 0, failure: null, failureReason: null, failedAt: null, createdAt: NOW },
  ...given,
});

const minutes = (moment: Date | null): number | null =>
  moment && (moment.getTime() - NOW.getTime()) / MINUTE_MS;

describe('the next fetch', () => {
  it('comes at once after a page with more, and after a pause otherwise', () => {
    expect(minutes(afterPage(NOW, { cursor: 'c2', more: true }).nextFetchAt)).toBe(0);
    expect(afterPage(NOW, { cursor: 'c2', more: false })).toEqual({
      ...{ cursor: 'c2', fetchedAt: NOW, nextFetchAt: new Date(NOW.getTime() + 15 * MINUTE_MS) },
      ...{ failures: 0, failure: null, failureReason: null, failedAt: null },
    });
  });

  it.each([
    [0, 0.5],
    [1, 1],
    [6, 32],
    [7, 60],
    [1000, 60],
  ])('after %s earlier failures comes in %s minutes, from the same place', (failures, pause) => {
    const failed = afterFailure(NOW, source({ failures }), { kind: 'unknown', cause: 'timeout' });
    expect([failed.cursor, failed.failures, minutes(failed.nextFetchAt)]).toEqual([
      'c1',
      failures + 1,
      pause,
    ]);
  });

  it.each([
    ['refused', { kind: 'refused', reason: 'No right.' }, 'No right.'],
    ['unavailable', { kind: 'unknown', cause: 'timeout' }, null],
    ['unavailable', { kind: 'unknown', cause: 'server_error' }, null],
    ['unreadable', { kind: 'unknown', cause: 'unreadable' }, null],
  ] as const)('is shown as %s after %j', (failure, answer, failureReason) => {
    const since = new Date(0);
    expect(afterFailure(NOW, source(), answer)).toMatchObject({ failure, failureReason, failedAt: NOW });
    expect(afterFailure(NOW, source({ failures: 3, failedAt: since }), answer).failedAt).toBe(since);
  });
});

describe('the next match of a difference', () => {
  it.each([
    [0, 5],
    [60 * MINUTE_MS, 60],
    [3 * DAY_MS, 24 * 60],
    [90 * DAY_MS - 1, 24 * 60],
    [90 * DAY_MS, null],
  ])('of an entry that is %s ms old comes in %s minutes', (ageMs, pause) => {
    const createdAt = new Date(NOW.getTime() - ageMs);
    expect(minutes(nextMatchAt(NOW, { difference: 'no_such_operation' }, createdAt))).toBe(pause);
  });

  it('never comes for a difference that no operation ends, nor for an entry that fits', () => {
    for (const difference of ['adjustment', 'unknown_kind', 'unreadable'] as const)
      expect(nextMatchAt(NOW, { difference }, NOW)).toBeNull();
    expect(nextMatchAt(NOW, { difference: null }, NOW)).toBeNull();
  });
});
