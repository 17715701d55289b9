import { describe, expect, it } from '@jest/globals';
import { createShares, type Shares } from '../../src/modules/transactions/recovery/provider-concurrency.ts';

const SECOND = 1_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const answer = (shares: Shares, service: string, times: number): void => {
  for (let time = 0; time < times; time++) shares.answered(service, NOW);
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
  ])('is, of 64 at most, after %d answers %p', (answers, share) => {
    const shares = createShares(64);

    answer(shares, 'one', answers);

    expect(shares.grown(NOW).get('one')).toBe(share);
  });

  it('is the smallest again after a look-up without an answer, and grows again from there', () => {
    const shares = createShares(64);
    answer(shares, 'one', 40);

    shares.unanswered('one');

    expect(shares.grown(NOW)).toEqual(new Map());
    answer(shares, 'one', 2);
    expect(shares.grown(NOW)).toEqual(new Map([['one', 10]]));
  });

  it('does not affect another service', () => {
    const shares = createShares(64);
    answer(shares, 'one', 3);
    answer(shares, 'other', 5);

    shares.unanswered('one');

    expect(shares.grown(NOW)).toEqual(new Map([['other', 13]]));
  });

  it('is the smallest again without an answer for longer than half a minute', () => {
    const shares = createShares(64);
    answer(shares, 'one', 4);
    shares.answered('other', later(SECOND));

    expect(shares.grown(later(30 * SECOND)).size).toBe(2);
    expect(shares.grown(later(31 * SECOND))).toEqual(new Map([['other', 9]]));
    shares.answered('one', later(32 * SECOND));
    expect(shares.grown(later(32 * SECOND)).get('one')).toBe(9);
  });
});
