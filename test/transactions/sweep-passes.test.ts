import { describe, expect, it } from '@jest/globals';
import {
  AGES_MS,
  firstPlaces,
  looksOfRound,
  placeAt,
  roundOfMinute,
  triesOfRound,
  TRY_AGAIN_AFTER_MS,
} from '../../src/modules/transactions/sweep/passes.ts';

const NOW = new Date('2026-05-01T12:00:35.000Z');

describe('the rounds of a sweep', () => {
  it.each([1, 5, 7, 30, 600])('have %d looks a minute in all', (callsPerMinute) => {
    const looks = [0, 1, 2, 3, 4, 5].map((round) => looksOfRound(callsPerMinute, round));

    expect(looks.reduce((sum, each) => sum + each, 0)).toBe(callsPerMinute);
    expect(Math.max(...looks) - Math.min(...looks)).toBeLessThanOrEqual(1);
  });

  it('are counted within their minute', () => {
    expect(roundOfMinute(NOW)).toBe(3);
  });
});

describe('the ages of a sweep', () => {
  it('rise, from a quarter of an hour to half a year', () => {
    expect(AGES_MS).toEqual(AGES_MS.toSorted((one, other) => one - other));
    expect([AGES_MS[0], AGES_MS.at(-1)]).toEqual([900_000, 180 * 86_400_000]);
  });

  it('begin behind the payments that have each age already', () => {
    expect(firstPlaces(NOW)).toHaveLength(AGES_MS.length);
    expect(placeAt(NOW, 900_000)).toEqual({
      ...{ at: '2026-05-01T11:45:35.000Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
    });
  });
});

describe('the tries for a payment without an answer', () => {
  it('are nine in eight hours, with growing pauses', () => {
    expect(TRY_AGAIN_AFTER_MS).toEqual(TRY_AGAIN_AFTER_MS.toSorted((one, other) => one - other));
    expect(new Set(TRY_AGAIN_AFTER_MS).size).toBe(8);
    expect(TRY_AGAIN_AFTER_MS.reduce((sum, each) => sum + each, 0)).toBe(473 * 60_000);
  });

  it.each([
    [0, 0],
    [2, 1],
    [5, 2],
    [100, 25],
  ])('of %d looks have %d at most', (looks, tries) => {
    expect(triesOfRound(looks, NOW)).toBe(tries);
  });

  it('have the only look of a round in one minute of four', () => {
    const minutes = Array.from({ length: 8 }, (_, minute) => new Date(NOW.getTime() + minute * 60_000));
    const tries = minutes.map((now) => triesOfRound(1, now));

    expect(tries.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
    expect(tries.slice(0, 4)).toEqual(tries.slice(4));
  });
});
