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

/** Describes tests. With a reason, the tests are skipped, and the name says why. */
export function describeUnless(reason: string | null, name: string, tests: () => void): void {
  if (reason === null) describe(name, tests);
  else describe.skip(nameOfSkipped(name, reason), tests);
}

const nameOfSkipped = (name: string, reason: string): string => `${name} (skipped, because ${reason})`;

/** Returns the reason for skipping tests that need programs of Debian. Null if this machine has all of them. */
export function reasonWithout(tools: readonly string[]): string | null {
  const missing = tools.filter((tool) => !isHere(tool));
  return missing.length === 0 ? null : `this machine has no ${missing.join(', ')}`;
}

/** Describes tests that need programs of Debian. Without one of them, the tests are skipped, and the name says why. */
export const describeWith = (tools: readonly string[], name: string, tests: () => void): void =>
  describeUnless(reasonWithout(tools), name, tests);

/** Returns the function of a test that needs programs of Debian. Without one of them, the test is skipped, and its name says why. */
export function withTools(...tools: readonly string[]): typeof it {
  const reason = reasonWithout(tools);
  if (reason === null) return it;
  return ((name: string, ...rest: Parameters<typeof it> extends [unknown, ...infer Rest] ? Rest : never) =>
    it.skip(nameOfSkipped(name, reason), ...rest)) as unknown as typeof it;
}

export const NATS = 'nats-server';
export const KCAT = 'kcat';
export const ETCD = 'etcd';
export const PATRONI = 'patroni';
export const NGINX = 'nginx';
