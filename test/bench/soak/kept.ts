import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '../../../src/platform/migrate/migrate.ts';
import { openEmbedded } from '../../../src/platform/postgres/embedded.ts';
import { silentProgress } from '../../../src/platform/process/progress.ts';
import type { BenchOptions } from '../benches.ts';
import { inDatabase, WITHOUT_BUDGETS, type BenchSettings } from '../database.ts';

/** A soak so far: the database, and the results of its slices. */
export type Soak<Part> = {
  readonly settings: BenchSettings;
  /** The slices of earlier runs. */
  readonly earlier: readonly Part[];
  /** Keeps this slice as far as it is. Without `--slice`, nothing is kept. */
  readonly keep: (part: Part) => Promise<void>;
};

/** The folder of the databases and results that last between slices. */
export const KEPT = '.paygraph/soak';

/** Runs a slice on the database of the slices before. Without `--slice`, runs it on a new database. */
export async function inSoak<Part, Value>(
  unit: string,
  { slice, quick }: BenchOptions,
  run: (soak: Soak<Part>) => Promise<Value>,
): Promise<Value> {
  if (slice === null)
    return await inDatabase('disk', (settings) =>
      run({ settings, earlier: [], keep: () => Promise.resolve() }),
    );
  const folder = join(KEPT, quick ? `${unit}-quick` : unit);
  const postgres = await openEmbedded(folder, silentProgress);
  try {
    await migrate(postgres.url);
    const PAYGRAPH_MASTER_KEY = await keptText(join(folder, 'master.key'), () =>
      randomBytes(32).toString('base64'),
    );
    const file = join(folder, 'slices.json');
    const earlier = JSON.parse(await keptText(file, () => '[]')) as Part[];
    const settings = {
      DATABASE_URL: postgres.url,
      PAYGRAPH_MASTER_KEY,
      LOG_LEVEL: 'error',
      ...WITHOUT_BUDGETS,
    };
    const keep = (part: Part): Promise<void> => writeFile(file, JSON.stringify([...earlier, part]));
    return await run({ settings, earlier, keep });
  } finally {
    await postgres.close();
  }
}

/** Returns the text of a file, and writes a first one. */
async function keptText(file: string, first: () => string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null) return text;
  const made = first();
  await writeFile(file, made, { mode: 0o600 });
  return made;
}
