import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import {
  clusterUrl,
  freePort,
  initCluster,
  startCluster,
  whenReady,
} from '../../src/platform/postgres/cluster.ts';
import { chooseUser } from '../../src/platform/postgres/run-as.ts';
import { onServer, SERVER_VARIABLE, TEMPLATE } from './database.ts';

/** Speed only: nothing in this server outlives the run. Connections for two workers with several pools each. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '300',
};

/** One Postgres for the whole run, with a migrated template from which every test database is cloned. */
export default async function setUp(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'paygraph-test-'));
  await chmod(home, 0o711);
  const folder = join(home, 'postgres');
  endWithUs(home);
  const user = await chooseUser(folder);
  await initCluster(folder, user, ['--no-sync']);
  const log = join(home, 'log');
  const port = await freePort();
  const child = await startCluster({ folder, user, port, logFile: log, settings: SETTINGS });
  child.unref();
  const url = await clusterUrl(folder, port, 'postgres');
  if (!(await whenReady(url, child)))
    throw new Error(`Postgres did not start: ${await readFile(log, 'utf8')}`);
  await onServer(url, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(await clusterUrl(folder, port, TEMPLATE));
  // eslint-disable-next-line no-restricted-properties -- the way from jest's setup to its workers
  process.env[SERVER_VARIABLE] = url;
}

/**
 * A process that waits for the end of this one, however it comes, then ends Postgres and removes its folder. So a run
 * that is killed leaves nothing behind.
 */
function endWithUs(home: string): void {
  const script =
    'cat; pid=$(head -n 1 "$1/postgres/postmaster.pid") && kill -QUIT "$pid"; sleep 0.3; rm -rf "$1"';
  const watcher = spawn('sh', ['-c', script, 'sh', home], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise((resolve) => watcher.once('exit', resolve));
  watcher.unref();
  Object.assign(globalThis, {
    stopTestServer: async () => {
      watcher.stdin.end();
      await ended;
    },
  });
}
