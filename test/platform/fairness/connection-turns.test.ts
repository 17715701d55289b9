import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createConnectionTurns,
  type ConnectionTurns,
  type Turn,
} from '../../../src/platform/fairness/connection-turns.ts';
import { BACKGROUND, PUBLIC } from '../../../src/platform/fairness/owner.ts';

const CONNECTIONS = 16;

let nowMs: number;
let turns: ConnectionTurns;
let running: Turn[];

beforeEach(() => {
  nowMs = 1_000;
  running = [];
  turns = createConnectionTurns(CONNECTIONS, () => nowMs);
});

const ask = (owner: string, count = 1) =>
  Array.from({ length: count }, () => turns.ask(owner, (turn) => running.push(turn)));

const heldBy = (owner: string): number => running.filter((turn) => turn.owner === owner).length;

/** Ends the oldest turn of an owner after some milliseconds. */
function end(owner: string, tookMs = 1): void {
  const turn = running.find((each) => each.owner === owner);
  if (!turn) throw new Error(`${owner} holds no connection.`);
  running = running.filter((each) => each !== turn);
  nowMs += tookMs;
  turns.end(turn);
}

describe('turns at connections', () => {
  it('give a lone account all connections', () => {
    ask('a', 20);

    expect(heldBy('a')).toBe(16);
    end('a');
    expect(heldBy('a')).toBe(16);
  });

  it('give an account an eighth while another account is active', () => {
    ask('b');
    ask('a', 20);

    expect([heldBy('a'), heldBy('b')]).toEqual([2, 1]);
    end('b');
    end('a');
    expect(heldBy('a')).toBe(2);
  });

  it('give a lone account all connections again soon after the work of the other', () => {
    ask('b');
    ask('a', 20);
    end('b');
    nowMs += 251;
    end('a');

    expect(heldBy('a')).toBe(16);
  });

  it.each([BACKGROUND, PUBLIC])('hold no account back for %s', (owner) => {
    ask(owner);
    ask('a', 20);

    expect(heldBy('a')).toBe(15);
  });

  it.each([BACKGROUND, PUBLIC])('hold %s back only while an account waits', (owner) => {
    ask('a');
    ask(owner, 20);

    expect(heldBy(owner)).toBe(15);
    ask('a');
    end(owner);
    expect([heldBy('a'), heldBy(owner)]).toEqual([2, 14]);
  });

  it('serve the account whose turns took the least time', () => {
    turns = createConnectionTurns(1, () => nowMs);
    ask('a', 3);
    ask('b', 3);
    const order: string[] = [];
    while (running.length > 0) {
      const owner = running[0]?.owner ?? '';
      order.push(owner);
      end(owner, owner === 'a' ? 50 : 10);
    }

    expect(order).toEqual(['a', 'b', 'b', 'b', 'a', 'a']);
  });

  it('give no credit for the time in which an account was alone', () => {
    turns = createConnectionTurns(1, () => nowMs);
    for (let nth = 0; nth < 100; nth += 1) {
      ask('a');
      end('a', 50);
    }
    ask('a', 3);
    ask('b', 3);
    const order: string[] = [];
    while (running.length > 0) {
      const owner = running[0]?.owner ?? '';
      order.push(owner);
      end(owner, 10);
    }

    expect(order.join('')).toMatch(/^(ab|ba){3}$/);
  });

  it('start no work that has given up', () => {
    ask('a', 16);
    const [giveUp] = ask('a');

    expect([giveUp?.(), giveUp?.()]).toEqual([true, false]);
    end('a');
    expect(heldBy('a')).toBe(15);
  });
});
