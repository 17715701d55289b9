import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';

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
