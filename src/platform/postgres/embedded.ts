import type { ChildProcess } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openDataFolder, unusableDataFolder } from '../process/data-folder.ts';
import { OperatorError } from '../operator-error.ts';
import type { Progress } from '../process/progress.ts';
import { clusterUrl, freePort, initCluster, startCluster, whenReady } from './cluster.ts';
import { withFolderLock } from './folder-lock.ts';
import { chooseUser } from './run-as.ts';
import { findRunning, stopRunning } from './running.ts';

/** An embedded Postgres. `close` ends it, unless another process still uses it. */
export type EmbeddedPostgres = { readonly url: string; close(): Promise<void> };

/** The major version of Postgres. The folder's format belongs to it. */
const VERSION = '18';
const DATABASE = 'paygraph';

/** The application name by which the processes of a server recognise each other. */
const KEEPER = 'paygraph keeper';

/**
 * Opens the Postgres in `<dataDir>/postgres`, and creates or starts it as necessary. A server that a killed process
 * left running is taken over. Processes with the same folder share one server, and the last to close ends it. Refuses a
 * folder that is not writable or that another version of Postgres created.
 */
export async function openEmbedded(dataDir: string, progress: Progress): Promise<EmbeddedPostgres> {
  const home = await openDataFolder(dataDir);
  const folder = join(home, 'postgres');
  await requireUsable(folder);
  const underLock = <Value>(work: () => Promise<Value>) => withFolderLock(join(home, 'postgres.lock'), work);
  const { port, keeper } = await underLock(async () => {
    const found = (await findRunning(folder)) ?? (await start(home, folder, progress));
    return { port: found, keeper: await keepInUse(await clusterUrl(folder, found, 'postgres')) };
  });
  return {
    url: await clusterUrl(folder, port, DATABASE),
    close: () =>
      underLock(async () => {
        const others = await othersUsing(keeper);
        await keeper.end().catch(() => undefined);
        if (!others) await stopRunning(folder);
      }),
  };
}

async function requireUsable(folder: string): Promise<void> {
  const owner = (await stat(folder).catch(() => null))?.uid;
  const us = process.getuid?.() ?? 0;
  if (owner !== undefined && us !== 0 && owner !== us)
    throw unusableDataFolder(folder, 'it belongs to another user');
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => VERSION)).trim();
  if (version !== VERSION) {
    throw new OperatorError(
      `The database at ${folder} was made by Postgres ${version}, and this is Postgres ${VERSION}. ` +
        'Serve it with the Paygraph that made it, or set PAYGRAPH_DATA_DIR to another folder.',
    );
  }
}

/** Starts Postgres on the folder and returns its port. */
async function start(home: string, folder: string, progress: Progress): Promise<number> {
  const user = await chooseUser(folder);
  if (!(await stat(folder).catch(() => null))) {
    await progress('Making a database', () => initCluster(folder, user));
  }
  const logFile = join(home, 'postgres.log');
  return await progress('Starting the database', async () => {
    // Another program may take the port first, and the children of a killed Postgres need a moment to end.
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      const child = await startCluster({ folder, user, port, logFile });
      if (await becomesReady(await clusterUrl(folder, port, 'postgres'), child)) return port;
      if (attempt === 5)
        throw new OperatorError(`Postgres did not start: ${await lastWords(logFile)} See ${logFile}.`);
      await delay(200 * attempt);
    }
  });
}

async function becomesReady(url: string, child: ChildProcess): Promise<boolean> {
  child.unref();
  return await whenReady(url, child);
}

async function lastWords(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
  return lines.findLast((line) => /FATAL|ERROR|error/.test(line)) ?? lines.at(-1) ?? '';
}

/** Opens a connection for as long as this process uses the server. Creates the database when it is missing. */
async function keepInUse(url: string): Promise<pg.Client> {
  const keeper = new pg.Client({ connectionString: url, application_name: KEEPER, keepAlive: true });
  // A lost connection has no effect here. Requests notice the failure themselves.
  keeper.on('error', () => undefined);
  await keeper.connect();
  const { rowCount } = await keeper.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount === 0) await keeper.query(`CREATE DATABASE ${DATABASE}`);
  return keeper;
}

async function othersUsing(keeper: pg.Client): Promise<boolean> {
  const others = await keeper
    .query('SELECT FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()', [KEEPER])
    .catch(() => ({ rowCount: 0 }));
  return (others.rowCount ?? 0) > 0;
}
