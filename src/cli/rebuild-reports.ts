import type { App } from '../app.ts';
import { createApp } from '../main.ts';
import { readReportedAccounts, rebuildReports } from '../modules/reports/index.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { withDatabase } from './database.ts';
import { readConfig } from './environment.ts';

/** The options as written on the command line. */
export type RebuildOptions = {
  readonly write?: boolean;
  readonly merchantAccount?: string | undefined;
};

/** Compares the sums of the reports, and writes them anew with `--write`. Without it, a difference ends in an error. */
export async function rebuildReportsCommand({
  write = false,
  merchantAccount,
}: RebuildOptions): Promise<void> {
  const config = readConfig();
  await withDatabase(config, async (url) => {
    const wired = await createApp({ ...config, DATABASE_URL: url });
    try {
      const accounts =
        merchantAccount === undefined ? await readReportedAccounts(wired.app.db) : [merchantAccount];
      const found = await rebuildAll(wired.app, accounts, write);
      if (found > 0 && !write)
        throw new OperatorError('Sums differ. Run the command with --write to write them anew.');
    } finally {
      await wired.close();
    }
  });
}

/** Returns the number of differences. */
async function rebuildAll(app: App, accounts: readonly string[], write: boolean): Promise<number> {
  let found = 0;
  for (const account of accounts) {
    const differences = await rebuildReports(app, account, { write });
    for (const difference of differences) console.log(`${account}: ${difference}`);
    const done = write ? 'differed and were written anew' : 'differ';
    console.log(differences.length === 0 ? `${account}: all sums fit.` : `${account}: sums ${done}.`);
    found += differences.length;
  }
  return found;
}
