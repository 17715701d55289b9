import { writeFile } from 'node:fs/promises';
import { arch, availableParallelism, freemem, platform, release, totalmem } from 'node:os';
import { antiFraudConnectors } from '../../connectors/anti-fraud/index.ts';
import { readFigures } from '../../http/operate/database-figures.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDb, queryOn, type Db } from '../../platform/database/db.ts';
import {
  readAppliedMigrations,
  readRelationSizes,
  readServerSettings,
} from '../../platform/database/sizes/sizes.sql.ts';
import { describeError } from '../../platform/describe-error.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import type { Config } from '../../platform/process/config.ts';
import { VERSION } from '../../platform/process/version.ts';
import { withDatabase } from '../database.ts';
import { readFailures } from './failures.ts';
import { exists, type Finding } from './checks.ts';
import type { LogErrors } from './log-errors.ts';
import { readPlans } from './plans.ts';

/**
 * Writes the file for a support case as JSON. `config` is null if the settings are wrong. Refuses a file that exists.
 *
 * A list says what may be in the file: names and sentences of ours, numbers and times. So no row, no secret and no text of a
 * caller can be in the file.
 */
export async function writeBundle(
  file: string,
  config: Config | null,
  findings: readonly Finding[],
  logs: readonly LogErrors[] = [],
): Promise<void> {
  const bundle = {
    format: 'paygraph-bundle-1',
    createdAt: new Date().toISOString(),
    versions: { paygraph: VERSION, node: process.versions.node, openssl: process.versions.openssl },
    machine: {
      ...{ system: platform(), release: release(), architecture: arch(), processors: availableParallelism() },
      ...{ memoryBytes: totalmem(), freeBytes: freemem() },
    },
    // The sentence of a finding may name hosts and addresses.
    findings: findings.map(({ check, state }) => ({ check, state })),
    settings: config && shownSettings(config),
    logs,
    database: config && (await hasDatabase(config)) ? await part(() => readDatabase(config)) : null,
  };
  await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: unknown) => {
      throw new OperatorError(`${file} could not be written: ${describeError(error).code ?? 'unknown'}.`);
    },
  );
}

/** The settings whose words are a choice of a few. */
const CHOICES: ReadonlySet<string> = new Set([
  ...['PAYGRAPH_KEY_PROVIDER', 'PAYGRAPH_ROLES', 'PAYGRAPH_EXECUTOR', 'PAYGRAPH_DASHBOARD', 'LOG_LEVEL'],
]);

/** Shows numbers, switches and choices. Any other setting is only `set`, because it may be a secret, a host or a name. */
export const shownSettings = (config: Config): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, isShown(name, value) ? value : 'set']),
  );

const isShown = (name: string, value: unknown): boolean =>
  value === null || typeof value === 'number' || typeof value === 'boolean' || CHOICES.has(name);

/** A sandbox that never started has no database. The command must not make one. */
const hasDatabase = async ({ DATABASE_URL, PAYGRAPH_DATA_DIR }: Config): Promise<boolean> =>
  DATABASE_URL !== undefined || (await exists(PAYGRAPH_DATA_DIR));

async function readDatabase(config: Config): Promise<Readonly<Record<string, unknown>>> {
  let read: Readonly<Record<string, unknown>> = {};
  await withDatabase(config, async (url) => {
    const settings = { url, connectionMax: 2, applicationName: 'paygraph doctor' };
    const db = openDb({ ...settings, readTimeoutMs: STATEMENT_MS });
    try {
      const parts = await readParts(db, config);
      // A locked table holds the plans back, and must not hold back the other parts.
      const plans = await part(() => readPlans({ ...settings, answerWithinMs: STATEMENT_MS }, STATEMENT_MS));
      read = { ...parts, plans };
    } finally {
      await db.close();
    }
  });
  return read;
}

/** The longest time of a statement. A support case often has a slow database. */
const STATEMENT_MS = 15_000;

/** Reads each part. A part that fails, as in a database without tables, leaves its error in its place. */
async function readParts(db: Db, config: Config): Promise<Readonly<Record<string, unknown>>> {
  return {
    server: await part(() => readServerSettings(db)),
    migrations: await part(() => readAppliedMigrations(db)),
    // Ages and counts of everything that waits, as the metrics have them.
    // Packages are not loaded, so the reports to their anti-fraud services are not counted.
    waiting: await part(() => readFigures({ readDb: db, clock: systemClock, config, antiFraudConnectors })),
    failures: await part(() => readFailures(db)),
    relations: await part(() => readRelations(db)),
  };
}

/** The relations that a lock kept from being read are named apart. */
async function readRelations(db: Db): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const client = await db.connect();
  try {
    const relations = await readRelationSizes(queryOn(client));
    const locked = relations.filter(({ bytes }) => bytes === null).map(({ name }) => name);
    return { sizes: relations.filter(({ bytes }) => bytes !== null), locked };
  } finally {
    // The connection keeps its limit for locks, so nothing else may use it.
    client.release(true);
  }
}

async function part(read: () => Promise<unknown>): Promise<unknown> {
  return await read().catch((error: unknown) => {
    const { name, code } = describeError(error);
    return { failed: { name, code } };
  });
}
