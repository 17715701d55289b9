import type * as Jest from '@jest/globals';

type Runner = Pick<typeof Jest, 'afterAll' | 'beforeAll' | 'describe' | 'expect' | 'it'>;

/**
 * The functions of the test runner that runs the suites. They are the globals of jest or vitest. Without globals, they are those of
 * `node:test` and the package `expect`.
 */
const runner: Runner = 'expect' in globalThis ? (globalThis as unknown as Runner) : await openNodeRunner();

export const { afterAll, beforeAll, expect } = runner;
export const describe: Runner['describe'] = runner.describe;
export const it: Runner['it'] = runner.it;

/** Gives `node:test` the names and the tables of jest. */
async function openNodeRunner(): Promise<Runner> {
  const node = await import('node:test');
  const { expect: given } = await import('expect').catch((cause: unknown) => {
    throw new Error('The suites need the package "expect" beside node:test. Run: npm i -D expect@30', {
      cause,
    });
  });
  return {
    ...{ beforeAll: node.before, afterAll: node.after, expect: given },
    describe: withTables((name, body) => node.describe(name, () => void body())),
    it: withTables((name, body) => node.it(name, async () => void (await body()))),
  } as unknown as Runner;
}

type Define = (name: string, body: () => unknown) => unknown;

function withTables(define: Define) {
  const each =
    (rows: readonly unknown[]) =>
    (name: string, body: (...values: readonly unknown[]) => unknown): void => {
      for (const row of rows) {
        const values: readonly unknown[] = Array.isArray(row) ? row : [row];
        define(named(name, values), () => body(...values));
      }
    };
  return Object.assign((name: string, body: () => unknown) => void define(name, body), { each });
}

/** Fills the places `%s` of a name. */
function named(name: string, values: readonly unknown[]): string {
  const left = [...values];
  return name.replaceAll('%s', () => String(left.shift()));
}
