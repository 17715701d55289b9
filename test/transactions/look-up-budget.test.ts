import { describe, expect, it } from '@jest/globals';
import { createBudget } from '../../src/modules/transactions/look-up/budget.ts';
import { createLanes } from '../../src/modules/transactions/look-up/lanes.ts';
import {
  createPlaces,
  PLACES_MAX,
  PLACES_OF_SERVICE,
} from '../../src/modules/transactions/look-up/places.ts';

const at = (ms: number): Date => new Date(Date.UTC(2026, 10, 1) + ms);

/** Takes look-ups from a budget as far as the budget allows. */
function taking(...given: Parameters<typeof createBudget>) {
  const budget = createBudget(...given);
  return (name: string, now: Date): boolean => {
    const isAllowed = budget.allows(name, now);
    if (isAllowed) budget.take(name, now);
    return isAllowed;
  };
}

describe('a budget', () => {
  it('counts nothing at a question', () => {
    const budget = createBudget({ most: 1, everyMs: 1_000 });

    expect([budget.allows('one', at(0)), budget.allows('one', at(0))]).toEqual([true, true]);
  });

  it('allows a number at once, and one more after each pause', () => {
    const take = taking({ most: 3, everyMs: 1_000 });

    const taken = [0, 0, 0, 0, 999, 1_000, 1_001, 5_000, 5_000, 5_000, 5_000].map((ms) =>
      take('one', at(ms)),
    );

    expect(taken).toEqual([true, true, true, false, false, true, false, true, true, true, false]);
  });

  it('counts each name alone', () => {
    const take = taking({ most: 1, everyMs: 1_000 });

    expect(['one', 'one', 'two', 'two'].map((name) => take(name, at(0)))).toEqual([true, false, true, false]);
  });

  it('remembers a limited number of names, and forgets the one that asked longest ago', () => {
    const take = taking({ most: 1, everyMs: 1_000 }, 2);
    for (const name of ['one', 'two', 'three']) take(name, at(0));

    expect(['three', 'two', 'one'].map((name) => take(name, at(0)))).toEqual([false, false, true]);
  });
});

/** Work that ends when a test says so. */
function gatedWork() {
  const gates: (() => void)[] = [];
  let begun = 0;
  return {
    begun: () => begun,
    run: () => {
      begun += 1;
      return new Promise<void>((end) => void gates.push(end));
    },
    end: () => gates.shift()?.(),
  };
}

describe('lanes', () => {
  it('run once more for all calls during a run, and then no more', async () => {
    const lanes = createLanes();
    const { begun, run, end } = gatedWork();
    const calls = Array.from({ length: 100 }, () => lanes('one', run));
    expect(begun()).toBe(1);

    end();
    while (begun() < 2) await Promise.resolve();
    end();
    await Promise.all(calls);

    expect(begun()).toBe(2);
  });

  it('run two names at once', () => {
    const lanes = createLanes();
    const { begun, run } = gatedWork();

    void lanes('one', run);
    void lanes('two', run);

    expect(begun()).toBe(2);
  });

  it('begin anew after a run that failed', async () => {
    const lanes = createLanes();
    await expect(lanes('one', () => Promise.reject(new Error('The run failed.')))).rejects.toThrow('failed');
    let runs = 0;

    await lanes('one', async () => void (runs += 1));

    expect(runs).toBe(1);
  });
});

describe('the places of look-ups', () => {
  it('are limited at one payment service, and in all', () => {
    const places = createPlaces();
    const enterAll = (service: string): number => {
      let entered = 0;
      for (; places.allows(service, at(0)); entered += 1) places.enter(service);
      return entered;
    };

    const entered = ['a', 'b', 'c', 'd', 'e'].map(enterAll);

    expect(entered).toEqual([8, 8, 8, 8, 0]);
    expect([PLACES_OF_SERVICE, PLACES_MAX, places.free()]).toEqual([8, 32, 0]);
    expect(places.busy(at(0))).toEqual(['a', 'b', 'c', 'd']);
    places.leave('a', { asked: 'answered', now: at(0) });
    expect([places.free(), places.allows('a', at(0)), places.allows('b', at(0))]).toEqual([1, true, false]);
  });

  it('are closed for a minute at a payment service without an answer to three look-ups in a row', () => {
    const places = createPlaces();
    const ask = (asked: 'answered' | 'silent', ms: number): void => {
      places.enter('a');
      places.leave('a', { asked, now: at(ms) });
    };
    for (const asked of ['silent', 'silent', 'answered', 'silent', 'silent'] as const) ask(asked, 0);
    expect(places.allows('a', at(0))).toBe(true);

    ask('silent', 0);

    expect([places.allows('a', at(59_999)), places.allows('b', at(0))]).toEqual([false, true]);
    expect(places.busy(at(0))).toEqual(['a']);
    expect(places.allows('a', at(60_000))).toBe(true);
    ask('silent', 60_000);
    expect(places.allows('a', at(60_001))).toBe(false);
    ask('answered', 120_000);
    expect(places.allows('a', at(120_001))).toBe(true);
  });
});
