import type { App } from '../../app.ts';
import { createApp } from '../../main.ts';
import { DIFFERENCES_MAX, readReportedAccounts, rebuildReports } from '../../modules/reports/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { withDatabase } from '../database.ts';
import { readConfig } from '../environment.ts';
import { withoutPooler } from '../../platform/process/config.ts';
import { printJson } from '../json.ts';

/** The options as written on the command line. */
export type RebuildOptions = {
  readonly write?: boolean;
  readonly merchantAccount?: string | undefined;
  readonly json?: boolean | undefined;
};

/** Compares the sums of the reports, and writes them anew with `--write`. Without it, a difference ends in an error. */
export async function rebuildReportsCommand({
  write = false,
  merchantAccount,
  json = false,
}: RebuildOptions): Promise<void> {
  const config = readConfig();
  await withDatabase(config, async (url) => {
    const wired = await createApp(withoutPooler(config, url));
    try {
      const accounts =
        merchantAccount === undefined ? await readReportedAccounts(wired.app.db) : [merchantAccount];
      const fits = await rebuildAll(wired.app, accounts, { write, json });
      if (!fits && !write)
        throw new OperatorError('Sums differ. Run the command with --write to write them anew.');
    } finally {
      await wired.close();
    }
  });
}

/** The result for one merchant account. */
type Compared = {
  readonly merchantAccountId: string;
  /** Sentences. At most DIFFERENCES_MAX. */
  readonly differences: readonly string[];
  /** True if the comparison named as many differences as it can. */
  readonly mayHaveMore: boolean;
  /** True if the sums were written anew. */
  readonly written: boolean;
};

/** Compares each account, and prints the result at once. Returns true if all sums fitted. */
async function rebuildAll(
  app: App,
  accounts: readonly string[],
  { write, json }: { readonly write: boolean; readonly json: boolean },
): Promise<boolean> {
  let fits = true;
  for (const merchantAccountId of accounts) {
    const differences = await rebuildReports(app, merchantAccountId, { write });
    const mayHaveMore = differences.length >= DIFFERENCES_MAX;
    const differs = differences.length > 0;
    const compared = { merchantAccountId, differences, mayHaveMore, written: write && differs };
    if (json) printJson(compared);
    else for (const line of linesOf(compared)) console.log(line);
    fits &&= !differs;
  }
  return fits;
}

function linesOf({ merchantAccountId, differences, mayHaveMore, written }: Compared): readonly string[] {
  const end = written ? 'sums differed and were written anew.' : 'sums differ.';
  const lines = differences.length === 0 ? ['all sums fit.'] : [...differences, end];
  const count = differences.length.toLocaleString('en');
  const more = `the list names the first ${count} differences. There may be more.`;
  return [...lines, ...(mayHaveMore ? [more] : [])].map((line) => `${merchantAccountId}: ${line}`);
}
