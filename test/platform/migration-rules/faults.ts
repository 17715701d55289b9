import { readMigrations } from '../../../src/platform/migrate/files.ts';
import { VERSION } from '../../../src/platform/process/version.ts';
import { findingsOf, tell, type Finding } from './check.ts';
import { BASELINE, FORMER } from './former.ts';
import { UNREAD } from './tables.ts';

/** Returns what is wrong with the migrations of this code: texts for a contributor, or nothing. */
export const migrationFaults = async (): Promise<readonly string[]> =>
  faultsAfter(await findingsOf(await readMigrations(), { version: VERSION, unread: UNREAD }), FORMER);

/** Returns the faults of migrations after the baseline, and of a list that does not fit those before. */
export function faultsAfter(
  findings: readonly Finding[],
  former: Readonly<Record<string, string>>,
): readonly string[] {
  const listed = Object.keys(former);
  const found = new Set(findings.map(({ migration }) => migration));
  return [
    ...findings.filter(({ migration }) => migration > BASELINE || !listed.includes(migration)).map(tell),
    ...listed
      .filter((name) => name > BASELINE)
      .map((name) => `former.ts lists ${name}. The list is closed: rewrite the migration.`),
    ...listed
      .filter((name) => !found.has(name))
      .map((name) => `former.ts lists ${name}, which breaks no rule. Remove the line.`),
  ];
}
