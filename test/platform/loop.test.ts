import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { FORM } from '../../src/platform/log.ts';
import { startLoop } from '../../src/platform/loop.ts';
import { until } from '../support/until.ts';

type Line = { readonly msg: string; readonly [field: string]: unknown };

/** A loop whose rounds a test ends one by one, on a clock that moves by the idle pause. */
function play(idleMs: number) {
  const lines: Line[] = [];
  const log = pino(
    { ...FORM, level: 'debug', timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  );
  let nowMs = 0;
  const faults: (Error | null)[] = [];
  let rounds = 0;
  let done = (): void => undefined;
  const clock = {
    now: () => new Date(nowMs),
    sleep: async (ms: number, signal?: AbortSignal): Promise<void> => {
      nowMs += ms;
      if (faults.length > 0) return;
      done();
      await new Promise<void>((resolve) =>
        signal?.addEventListener('abort', () => resolve(), { once: true }),
      );
    },
  };
  return {
    lines,
    /** Runs one round for each fault. Null is a round that works. */
    run: async (...given: readonly (Error | null)[]): Promise<void> => {
      faults.push(...given);
      const ended = new Promise<void>((resolve) => (done = resolve));
      const loop = startLoop({
        ...{ name: 'tested', idleMs, clock, log },
        run: async () => {
          rounds += 1;
          const fault = faults.shift();
          if (fault) throw fault;
          return false;
        },
      });
      await ended;
      await loop.stop();
    },
    rounds: () => rounds,
  };
}

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const times = (count: number, fault: () => Error): readonly Error[] => Array.from({ length: count }, fault);

describe('a loop', () => {
  it('tells of an outage once, and of its end with its length', async () => {
    const { lines, run } = play(1_000);
    await run(...times(30, refused), null, null);

    expect(lines).toEqual([
      {
        level: 50,
        loop: 'tested',
        'exception.type': 'Error',
        'exception.message': 'connect ECONNREFUSED',
        'error.type': 'ECONNREFUSED',
        msg: 'A background round failed. The loop retries it.',
      },
      {
        ...{ level: 40, loop: 'tested', failures: 30, lastedMs: 30_000 },
        msg: 'The background loop works again.',
      },
    ]);
  });

  it('tells of a long outage again after a minute, and then after ever longer pauses', async () => {
    const { lines, run } = play(10_000);
    await run(...times(100, refused));

    expect(lines.slice(1)).toEqual(
      [
        { failingMs: 60_000, failures: 7 },
        { failingMs: 180_000, failures: 19 },
        { failingMs: 420_000, failures: 43 },
        { failingMs: 900_000, failures: 91 },
      ].map((told) => expect.objectContaining({ ...told, msg: 'The background loop still fails.' })),
    );
  });

  it('takes failures in every second round for one outage', async () => {
    const { lines, run } = play(100);
    await run(...Array.from({ length: 50 }, (_, round) => (round % 2 === 0 ? refused() : null)));

    expect(lines).toHaveLength(1);
  });

  it('shows the place of a fault in the code, without values', async () => {
    const { lines, run } = play(1_000);
    await run(new Error('No card 4111111111111111'));

    expect(lines[0]).toMatchObject({
      'exception.message': 'No card …',
      'exception.stacktrace': expect.stringContaining('loop.test.ts'),
    });
  });

  it('works on after a failure', async () => {
    const { rounds, run } = play(1_000);
    await run(refused(), null, null);
    await until(() => rounds() === 3, 'three rounds');
  });
});
