import { access, constants } from 'node:fs/promises';
import { readApiKeyFile } from '../../platform/process/api-key-file.ts';
import type { Config } from '../../platform/process/config.ts';
import { readHold } from '../../modules/transactions/index.ts';
import { openDb } from '../../platform/database/db.ts';
import { openPools, requirePools } from '../../platform/connections/pools.ts';
import { systemIds } from '../../platform/ids.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { unappliedMigrations } from '../../platform/migrate/migrate.ts';
import { connectOnce } from '../../platform/postgres/connect.ts';
import { checkMasterKeys } from '../../platform/vault/check-keys.ts';
import { openKeyProvider } from '../../platform/vault/master-key/open-keys.ts';
import { withDatabase } from '../database.ts';
import { explain } from '../explain.ts';
import { checkDatabase } from '../setup/checks.ts';
import { keyFileOf } from '../run/token.ts';

/** The result of a check. A warning needs no act before payments. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly sentence: string;
};

export type Report = (finding: Finding) => void;

/** Checks the parts of an installation that need no running service: Node, database, clock, migrations and keys. */
export async function checkInstallation(config: Config, report: Report): Promise<void> {
  report({ check: 'node', state: 'ok', sentence: `This is Node ${process.versions.node}.` });
  const data = config.DATABASE_URL === undefined ? config.PAYGRAPH_DATA_DIR : null;
  if (data !== null && !(await exists(data)))
    report({
      check: 'database',
      state: 'warning',
      sentence: `The folder ${data} does not exist yet. Create it with: ${howToRun('start')}`,
    });
  else await tried('database', report, () => withDatabase(config, (url) => checkStore(config, url, report)));
  await checkKeyFile(config, report);
}

async function checkStore(config: Config, url: string, report: Report): Promise<void> {
  const { version, clockDifferenceMs } = await checkDatabase(url);
  report({ check: 'database', state: 'ok', sentence: `Postgres ${version} answers and accepts writes.` });
  report({ check: 'clock', state: 'ok', sentence: `The clocks differ by ${clockDifferenceMs} ms.` });
  const missing = await missingMigrations(url);
  const first = missing[0];
  if (first !== undefined)
    return report({
      check: 'migrations',
      state: 'failed',
      sentence: `${missing.length} are missing, first ${first}. Apply them with: ${howToRun('migrate')}`,
    });
  report({ check: 'migrations', state: 'ok', sentence: 'All are applied.' });
  await tried('connections', report, () => checkConnections({ DATABASE_URL: url, ...config }, report));
  await tried('master key', report, () => checkKeys(config, url, report));
  await tried('payments', report, () => checkHold(url, report));
}

async function missingMigrations(url: string): Promise<readonly string[]> {
  const client = await connectOnce(url);
  try {
    return await unappliedMigrations(client);
  } finally {
    await client.end();
  }
}

/** Checks the way of the service to the database, which may lead through a pooler. */
async function checkConnections(config: Config, report: Report): Promise<void> {
  const pools = openPools({ ...config, DATABASE_POOL: 4, DATABASE_READ_POOL: 1 }, {});
  try {
    await requirePools(pools, config);
    const way = config.DATABASE_DIRECT_URL === undefined ? 'to the database' : 'through the pooler';
    report({ check: 'connections', state: 'ok', sentence: `The connections ${way} have their settings.` });
  } finally {
    await Promise.all([pools.db.close(), pools.readDb.close()]);
  }
}

async function checkKeys(config: Config, url: string, report: Report): Promise<void> {
  const db = openDb({ url, connectionMax: 1, applicationName: 'paygraph doctor' });
  try {
    const used = await checkMasterKeys(db, await openKeyProvider(config, systemIds));
    report({ check: 'master key', state: 'ok', sentence: `${used} in use, and each opens its data keys.` });
  } finally {
    await db.close();
  }
}

/** Tells whether payments are held back after a restore. */
async function checkHold(url: string, report: Report): Promise<void> {
  const db = openDb({ url, connectionMax: 1, applicationName: 'paygraph doctor' });
  try {
    const hold = await readHold(db);
    const check = 'payments';
    if (!hold) return report({ check, state: 'ok', sentence: 'Payments are not held back.' });
    const since = hold.startedAt.toISOString();
    const sentence = `Payments are held back since ${since}, after a restore. Look at the progress with: ${howToRun('restored')}`;
    report({ check, state: 'warning', sentence });
  } finally {
    await db.close();
  }
}

/** Checks the file that the commands sign tokens with. Production may keep its key elsewhere. */
async function checkKeyFile(config: Config, report: Report): Promise<void> {
  const { path, madeBy } = keyFileOf(config, {});
  await tried('API key', report, async () => {
    const isThere = (await readApiKeyFile(path)) !== null;
    const sentence = isThere ? `${path} holds a key.` : `There is no key at ${path}. ${madeBy}`;
    report({ check: 'API key', state: isThere ? 'ok' : 'warning', sentence });
  });
}

/** Runs a check, and reports its error as its sentence. */
export async function tried(check: string, report: Report, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => report({ check, state: 'failed', sentence: explain(error) }));
}

/** Returns true if there is a file or a folder. */
export const exists = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
