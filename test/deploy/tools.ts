import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from '@jest/globals';

/** The folders of programs. Those of Debian for root are added, because a shell of another user lacks them. */
// oxlint-disable-next-line no-restricted-properties -- where programs lie on this machine
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

const isHere = (tool: string): boolean =>
  FOLDERS.some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Describes tests that need programs of Debian. Without one of them, the tests are skipped, and the name says why. */
export function describeWith(tools: readonly string[], name: string, tests: () => void): void {
  const missing = tools.filter((tool) => !isHere(tool));
  if (missing.length === 0) describe(name, tests);
  else describe.skip(`${name} (skipped, because this machine has no ${missing.join(', ')})`, tests);
}

/** Returns the function of a test that needs programs of Debian. Without one of them, the test is skipped, and its name says why. */
export function withTools(...tools: readonly string[]): typeof it {
  const missing = tools.filter((tool) => !isHere(tool));
  if (missing.length === 0) return it;
  return ((name: string, ...rest: Parameters<typeof it> extends [unknown, ...infer Rest] ? Rest : never) =>
    it.skip(
      `${name} (skipped, because this machine has no ${missing.join(', ')})`,
      ...rest,
    )) as unknown as typeof it;
}

export const NATS = 'nats-server';
export const KCAT = 'kcat';
