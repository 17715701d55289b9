import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLoopTurns } from '../../../src/platform/fairness/loop-turns.ts';

/** Turns whose clock moves by the work itself. */
function createTurns() {
  let nowMs = 0;
  const done: string[] = [];
  const turns = createLoopTurns(() => nowMs);
  const work = (owner: string, name: string, tookMs = 1): void =>
    turns.run(owner, () => {
      nowMs += tookMs;
      done.push(name);
    });
  return { turns, work, done };
}

describe('turns at the event loop', () => {
  it('run work at once while the loop is idle', () => {
    const { turns, work, done } = createTurns();
    work('a', 'a1');

    expect(done).toEqual(['a1']);
    expect(turns.next('a')).toBeNull();
  });

  it('let work wait once a round has its fill', async () => {
    const { work, done } = createTurns();
    for (const name of ['a1', 'a2', 'a3', 'a4']) work('a', name);
    work('b', 'b1');

    expect(done).toEqual(['a1', 'a2']);
    await nextRound();
    expect(done).toEqual(['a1', 'a2', 'a3']);
    await nextRound();
    expect(done).toEqual(['a1', 'a2', 'a3', 'b1']);
    await nextRound();
    expect(done).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  });

  it('let the owner of a round go on until its end, and others wait', async () => {
    const { turns, work, done } = createTurns();
    work('a', 'a1', 5);
    const waiting = turns.next('a')?.then(() => {
      done.push('turn of a');
      work('a', 'a2');
      work('b', 'b1');
      work('a', 'a3');
      work('a', 'a4');
    });
    work('b', 'b0');
    await waiting;

    expect(done).toEqual(['a1', 'turn of a', 'a2', 'a3']);
    for (let round = 0; round < 3; round += 1) await nextRound();
    expect(done.slice(4)).toEqual(['b0', 'b1', 'a4']);
  });
});
