import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench's own that does what it is asked. It ends when this process does. */
export type Child = {
  /** Asks for something by the name it is served under; throws what it failed with. */
  ask<Answer>(what: string, given?: unknown): Promise<Answer>;
  end(): Promise<void>;
};

type Question = { readonly nth: number; readonly what: string; readonly given: unknown };
type Answer = { readonly nth: number; readonly value?: unknown; readonly failed?: string };

/** Starts a file of this folder as a process. */
export function startChild(file: string): Child {
  const child = fork(new URL(file, import.meta.url), { execArgv: [], serialization: 'advanced' });
  const waiting = new Map<number, (answer: Answer) => void>();
  let count = 0;
  child.on('message', (answer: Answer) => {
    waiting.get(answer.nth)?.(answer);
    waiting.delete(answer.nth);
  });
  child.once('exit', () => waiting.forEach((settle, nth) => settle({ nth, failed: `${file} ended.` })));
  return {
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

/** In such a process: does what is asked for, by name. */
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

/** Milliseconds since 1970, with fractions: the same clock in every process of one machine. */
export const nowMs = (): number => performance.timeOrigin + performance.now();
