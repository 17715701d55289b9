import { describe, expect, it } from '@jest/globals';
import {
  createConcurrencyLimits,
  type ConcurrencyLimits,
} from '../../src/modules/transactions/recovery/provider-concurrency.ts';

const SECOND = 1_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const answer = (limits: ConcurrencyLimits, service: string, times: number): void => {
  for (let time = 0; time < times; time++) limits.answered(service, NOW);
};

describe('the concurrency limit of a payment service', () => {
  it.each([
    [0, undefined],
    [1, 9],
    [8, 16],
    [24, 32],
    [55, 63],
    [56, 64],
    [1_000, 64],
  ])('is, of 64 at most, after %d answers %p', (answers, limit) => {
    const limits = createConcurrencyLimits(64);

    answer(limits, 'one', answers);

    expect(limits.grown(NOW).get('one')).toBe(limit);
  });

  it('is the smallest again after a look-up without an answer, and grows again from there', () => {
    const limits = createConcurrencyLimits(64);
    answer(limits, 'one', 40);

    limits.unanswered('one');

    expect(limits.grown(NOW)).toEqual(new Map());
    answer(limits, 'one', 2);
    expect(limits.grown(NOW)).toEqual(new Map([['one', 10]]));
  });

  it('does not affect another service', () => {
    const limits = createConcurrencyLimits(64);
    answer(limits, 'one', 3);
    answer(limits, 'other', 5);

    limits.unanswered('one');

    expect(limits.grown(NOW)).toEqual(new Map([['other', 13]]));
  });

  it('is the smallest again without an answer for longer than half a minute', () => {
    const limits = createConcurrencyLimits(64);
    answer(limits, 'one', 4);
    limits.answered('other', later(SECOND));

    expect(limits.grown(later(30 * SECOND)).size).toBe(2);
    expect(limits.grown(later(31 * SECOND))).toEqual(new Map([['other', 9]]));
    limits.answered('one', later(32 * SECOND));
    expect(limits.grown(later(32 * SECOND)).get('one')).toBe(9);
  });
});
