import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A separate process that runs tasks. The process ends with its parent. */
export type Child = {
  readonly pid: number;
  /** Runs a task by its name. Throws the task's error. */
  ask<Answer>(what: string, given?: unknown): Promise<Answer>;
  end(): Promise<void>;
};

type Question = { readonly nth: number; readonly what: string; readonly given: unknown };
type Answer = { readonly nth: number; readonly value?: unknown; readonly failed?: string };

/** Starts a file of this folder as a process, with these settings on top of our own environment. */
export function startChild(file: string, environment: Readonly<Record<string, string>> = {}): Child {
  const child = fork(new URL(file, import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
    // oxlint-disable-next-line no-restricted-properties -- the process inherits everything, and gets some more
    env: { ...process.env, ...environment },
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let count = 0;
  child.on('message', (answer: Answer) => {
    waiting.get(answer.nth)?.(answer);
    waiting.delete(answer.nth);
  });
  child.once('exit', () => waiting.forEach((settle, nth) => settle({ nth, failed: `${file} ended.` })));
  return {
    pid: child.pid ?? 0,
    ask: <Value>(what: string, given: unknown = null) =>
      new Promise<Value>((resolve, reject) => {
        const nth = ++count;
        waiting.set(nth, ({ failed, value }) =>
          failed === undefined ? resolve(value as Value) : reject(new Error(failed)),
        );
        child.send({ nth, what, given } satisfies Question);
      }),
    end: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Serves tasks by name, in such a process. */
export function serve(tasks: Readonly<Record<string, (given: never) => unknown>>): void {
  process.on('message', ({ nth, what, given }: Question) => {
    const task = tasks[what] as ((given: unknown) => unknown) | undefined;
    Promise.resolve()
      .then(() => task?.(given))
      .then(
        (value) => process.send?.({ nth, value } satisfies Answer),
        (error: unknown) => process.send?.({ nth, failed: String(error) } satisfies Answer),
      );
  });
  process.once('disconnect', () => process.exit());
}

/** Returns milliseconds since 1970, with fractions. All processes of one machine share this clock. */
export const nowMs = (): number => performance.timeOrigin + performance.now();
