import { describe, expect, it } from '@jest/globals';
import { createFairQueue, type FairQueue } from '../../../src/platform/fairness/fair-queue.ts';

/** Takes all work, and charges each owner the given time a piece. */
function drain(queue: FairQueue<string>, costs: Readonly<Record<string, number>>): readonly string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) {
    queue.charge(next.owner, costs[next.owner] ?? 1);
    taken.push(next.work);
  }
  return taken;
}

const fill = (queue: FairQueue<string>, owner: string, count: number): void => {
  for (let nth = 1; nth <= count; nth += 1) queue.add(owner, `${owner}${nth}`);
};

describe('a fair queue', () => {
  it('lets a newcomer wait behind one work of each owner', () => {
    const queue = createFairQueue<string>();
    fill(queue, 'a', 4);
    fill(queue, 'b', 1);

    expect(drain(queue, {})).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
    expect(queue.size).toBe(0);
  });

  it('gives an owner with long work fewer turns', () => {
    const queue = createFairQueue<string>();
    fill(queue, 'long', 2);
    fill(queue, 'short', 6);

    expect(drain(queue, { long: 3, short: 1 })).toEqual([
      ...['long1', 'short1', 'short2', 'short3', 'long2', 'short4', 'short5', 'short6'],
    ]);
  });

  it('saves nothing up for an idle owner', () => {
    const queue = createFairQueue<string>();
    queue.charge('idle', 1);
    fill(queue, 'busy', 100);
    for (let nth = 0; nth < 98; nth += 1) queue.charge(queue.take()?.owner ?? '', 1);
    fill(queue, 'idle', 3);

    expect(drain(queue, {})).toEqual(['idle1', 'busy99', 'idle2', 'busy100', 'idle3']);
  });

  it('corrects an estimate by a negative charge', () => {
    const queue = createFairQueue<string>();
    fill(queue, 'a', 2);
    fill(queue, 'b', 1);
    queue.charge('a', 10);
    queue.charge('a', -10);

    expect(queue.take()?.work).toBe('a1');
  });

  it('passes over an owner who may not go', () => {
    const queue = createFairQueue<string>();
    fill(queue, 'a', 1);
    fill(queue, 'b', 1);

    expect(queue.take((owner) => owner !== 'a')?.work).toBe('b1');
    expect(queue.take((owner) => owner !== 'a')).toBeNull();
    expect(queue.size).toBe(1);
  });

  it('removes work that waits, and no other', () => {
    const queue = createFairQueue<string>();
    fill(queue, 'a', 2);

    expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('b', 'b1')]).toEqual([
      ...[true, false, false],
    ]);
    expect(drain(queue, {})).toEqual(['a2']);
  });

  it('forgets the owners of the past, and remembers who is ahead', () => {
    const queue = createFairQueue<string>();
    queue.charge('ahead', 5_000);
    for (let nth = 1; nth <= 3_000; nth += 1) {
      queue.add(`owner ${nth}`, `owner ${nth}`);
      queue.charge(queue.take()?.owner ?? '', 1);
    }
    fill(queue, 'ahead', 1);
    fill(queue, 'new', 2);

    expect(drain(queue, {})).toEqual(['new1', 'new2', 'ahead1']);
  });
});
