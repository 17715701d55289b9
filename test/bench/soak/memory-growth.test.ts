import { describe, expect, it } from '@jest/globals';
import { biggerProcesses, judgeMemory, type Held } from './memory-growth.ts';
import { exitCodeOf, verdictOf } from './verdict.ts';

/** An hour of a process that has 400 MB when warm. It has garbage, and falls now and then. */
const hour = (perHour: number): readonly Held[] =>
  Array.from({ length: 60 }, (_, nth) => {
    const at = nth / 60;
    const noise = 3 * Math.sin(nth * 7.3) - (nth % 17 === 16 ? 100 : 0);
    return { at, mb: 400 - 150 * Math.exp(-nth / 3) + perHour * at + noise };
  });

const judge = (samples: readonly Held[]) => judgeMemory(samples, { share: 0.01, samplesMin: 9 });

describe('the memory of a process', () => {
  it('is flat if it rises and falls alone', () => {
    expect(judge(hour(0))).toMatchObject({ isFlat: true });
  });

  it('grows by any rate above the smallest that can be seen', () => {
    const { leastSeen } = judge(hour(0)) ?? { leastSeen: NaN };

    expect(leastSeen).toBeLessThan(20);
    expect(judge(hour(leastSeen + 3))).toMatchObject({ isFlat: false });
    expect(judge(hour(2))).toMatchObject({ isFlat: true });
  });

  it('is not judged while the process warms up', () => {
    expect(judge(hour(0).slice(0, 8))).toBeNull();
  });

  it('is not judged if the noise hides a large leak', () => {
    const uneven = hour(0)
      .slice(0, 12)
      .map(({ at }, nth) => ({ at, mb: 400 + ([0, 0, 90, 90, 20, 20][nth % 6] ?? NaN) }));

    expect(judge(uneven)).toBeNull();
  });

  it('may not be larger in a later process', () => {
    const growth = (lastMb: number) => ({ lastMb, rate: 0, leastSeen: 4, isFlat: true });

    expect(biggerProcesses([null, growth(400), growth(440), growth(441)])).toEqual([4]);
  });
});

describe('the verdict of a soak', () => {
  const flat = { growths: [], compared: 3, tooEarly: [] };
  const growth = { what: 'rows of `event`', from: 1, to: 9, allowed: 2 };
  const steady = { lastMb: 400, rate: 0, leastSeen: 4, isFlat: true };

  it.each([
    ['yes', flat, [null, steady]],
    ['too early', flat, [null]],
    ['too early', { ...flat, compared: 0 }, [steady]],
    ['too early', { ...flat, tooEarly: ['event'] }, [steady]],
    ['no', { ...flat, growths: [growth] }, [null]],
    ['no', flat, [{ ...steady, isFlat: false }]],
    ['no', flat, [steady, { ...steady, lastMb: 500 }]],
  ] as const)('is "%s" for %j with the memory %j', (verdict, judgement, memory) => {
    expect(verdictOf(judgement, memory)).toBe(verdict);
  });

  it('has a code for each answer', () => {
    expect(
      [['yes'], ['yes', 'too early'], ['too early', 'no']].map((each) => exitCodeOf(each as never)),
    ).toEqual([0, 3, 1]);
  });
});
