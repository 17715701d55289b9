import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { begin, textOf } from './begin.ts';
import { startHarness, type Harness } from './harness.ts';
import { scenarios } from './scenarios.ts';

const DAY_MS = 86_400_000;

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe.each(Object.entries(scenarios))('%s', (mutation, scenario) => {
  const { makes } = scenario;

  it('is independent in another merchant account', async () => {
    const [mine, theirs] = [
      await begin(harness, mutation, scenario),
      await begin(harness, mutation, scenario),
    ];
    const answers = [await mine.send(mine.input), await theirs.send(theirs.input)] as const;

    const replays = [await mine.send(mine.input), await theirs.send(theirs.input)] as const;

    expect(answers).toMatchObject([
      { userErrors: [], replayed: false },
      { userErrors: [], replayed: false },
    ]);
    expect(replays).toMatchObject([{ replayed: true }, { replayed: true }]);
    expect(textOf(replays[0], scenario)).toBe(textOf(answers[0], scenario));
    expect(textOf(replays[1], scenario)).toBe(textOf(answers[1], scenario));
    expect(textOf(answers[0], scenario)).not.toBe(textOf(answers[1], scenario));
    expect([await mine.count(), await theirs.count()]).toEqual([makes.times(1), makes.times(1)]);
  });

  it('is replayed for 30 days, then done anew', async () => {
    const { input, send, count, tenant } = await begin(harness, mutation, scenario);
    const first = await send(input);
    harness.clock.advance(30 * DAY_MS - 60_000);
    const last = await send(input);
    harness.clock.advance(120_000);
    const next = scenario.repeatable ? input : (await begin(harness, mutation, scenario, tenant)).input;

    const anew = await send(next);

    expect(last.replayed).toBe(true);
    expect(textOf(last, scenario)).toBe(textOf(first, scenario));
    expect(anew).toMatchObject({ userErrors: [], replayed: false });
    expect(await count()).toEqual(makes.times(2));
    const replay = await send(next);
    expect(replay.replayed).toBe(true);
    expect(textOf(replay, scenario)).toBe(textOf(anew, scenario));
  });
});
