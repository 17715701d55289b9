import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clusterUrl, initCluster, startCluster, whenReady } from '../../src/platform/postgres/cluster.ts';
import { chooseUser } from '../../src/platform/postgres/run-as.ts';
import { lastingPort } from './lasting-port.ts';

/**
 * A separate Postgres server for one run, in a temporary folder. The folder is removed when the run ends, even when
 * the run is killed.
 */
export type OwnPostgres = {
  /** Returns the address of one database of the server. The database `postgres` always exists. */
  url(database: string): string;
  /** Ends the server without a checkpoint and without a word to clients, as `pg_ctl stop -m immediate` does. */
  stopImmediately(): Promise<void>;
  /** Starts the server again on the same port. Resolves when the server has recovered and answers. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  close(): Promise<void>;
};

/**
 * Starts a new server with these settings on top of Postgres' defaults. Its files are `within` a folder. Takes some
 * two seconds.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  within = tmpdir(),
): Promise<OwnPostgres> {
  const home = await mkdtemp(join(within, 'paygraph-test-'));
  await chmod(home, 0o711);
  const folder = join(home, 'postgres');
  const close = endWithUs(home);
  const user = await chooseUser(folder);
  // A run opens thousands of connections, and each hashes the password so many times.
  await initCluster(folder, user, ['--no-sync', '--set=scram_iterations=1']);
  const logFile = join(home, 'log');
  const all = { unix_socket_directories: folder, ...settings };
  const port = await lastingPort();
  const address = new URL(await clusterUrl(folder, port, 'postgres'));
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    // After an immediate stop the server's children need a moment to release its memory.
    for (let attempt = 1; ; attempt += 1) {
      child = await startCluster({ folder, user, port, logFile, settings: all });
      child.unref();
      if (await whenReady(address.href, child)) return;
      if (attempt === 5) throw new Error(`Postgres did not start: ${await readFile(logFile, 'utf8')}`);
      await delay(200 * attempt);
    }
  };
  await start();
  return {
    url: (database) => new URL(`/${database}`, address).href,
    start,
    stopImmediately: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.ref();
      child.kill('SIGQUIT');
      await ended;
    },
    close,
  };
}

/**
 * Starts a process that waits for the end of this process. Then each Postgres in the folder ends, and the folder goes. So a killed run
 * leaves nothing behind. The returned function does both at once.
 */
export function endWithUs(home: string): () => Promise<void> {
  const script =
    'cat; for file in "$1"/*/postmaster.pid; do kill -QUIT "$(head -n 1 "$file")"; done; sleep 0.3; rm -rf "$1"';
  const watcher = spawn('sh', ['-c', script, 'sh', home], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(watcher, 'exit');
  watcher.unref();
  return async () => {
    watcher.ref();
    watcher.stdin.end();
    await ended;
  };
}
