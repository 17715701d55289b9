import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLoopTurns } from '../../../src/platform/fairness/loop-turns.ts';

/** Turns whose clock moves by the work itself. */
function createTurns() {
  let nowMs = 0;
  const done: string[] = [];
  const turns = createLoopTurns(() => nowMs);
  const take = (name: string, tookMs: number): void => {
    nowMs += tookMs;
    done.push(name);
  };
  const work = (owner: string, name: string, tookMs = 1): void => turns.run(owner, () => take(name, tookMs));
  /** Takes steps on a line, each in its turn. */
  const walk = async (owner: string, names: readonly string[], tookMs = 0.5): Promise<void> => {
    const line = turns.openLine(owner);
    for (const name of names) {
      await line.next();
      take(name, tookMs);
    }
  };
  const pass = (ms: number): void => void (nowMs += ms);
  return { turns, work, walk, pass, done };
}

describe('turns at the event loop', () => {
  it('run work at once while the loop is idle', () => {
    const { work, done } = createTurns();
    work('a', 'a1');

    expect(done).toEqual(['a1']);
  });

  it('let work wait once a round has its fill, and serve the owners by turns', async () => {
    const { work, done } = createTurns();
    for (const name of ['a1', 'a2', 'a3', 'a4']) work('a', name);
    work('b', 'b1');

    expect(done).toEqual(['a1', 'a2']);
    await nextRound();
    expect(done).toEqual(['a1', 'a2', 'a3', 'b1']);
    await nextRound();
    expect(done).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  });

  it('serve the owner next whose pieces took the least time', async () => {
    const { work, done } = createTurns();
    work('c', 'c1', 2);
    for (const name of ['a1', 'a2', 'a3']) work('a', name, 3);
    for (const name of ['b1', 'b2', 'b3', 'b4']) work('b', name, 1);
    for (let round = 0; round < 10; round += 1) await nextRound();

    expect(done).toEqual(['c1', 'a1', 'b1', 'b2', 'b3', 'a2', 'b4', 'a3']);
  });

  it('tell how long the oldest work of an owner waits, without the steps of lines', async () => {
    const { turns, work, walk, pass } = createTurns();
    work('a', 'a1', 2);
    work('a', 'a2');
    const walking = walk('b', ['b1']);
    pass(3);
    work('a', 'a3');

    expect(['a', 'b', 'c'].map((owner) => turns.waitedMs(owner))).toEqual([3, 0, 0]);
    await walking;
  });

  it('let a line go on until its promises wait, one line after the other', async () => {
    const { walk, done } = createTurns();
    await Promise.all([walk('a', ['1', '2'], 0), walk('a', ['3', '4'], 0), walk('b', ['5', '6'], 0)]);

    expect(done).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('end the turn of a line with the round, so that another owner goes first', async () => {
    const { walk, work, done } = createTurns();
    const walking = walk('a', ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    await Promise.resolve();
    work('b', 'b1');
    await walking;

    expect(done).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'a5', 'a6']);
  });
});
