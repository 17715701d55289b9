import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  clusterUrl,
  freePort,
  initCluster,
  startCluster,
  whenReady,
} from '../../src/platform/postgres/cluster.ts';
import { chooseUser } from '../../src/platform/postgres/run-as.ts';

/** A Postgres server of a run's own, in a temporary folder. Nothing of it is left when the run ends, however it ends. */
export type OwnPostgres = {
  /** Address of one of its databases; `postgres` is always there. */
  url(database: string): string;
  /** Ends it without a word to its clients and without writing anything, as `pg_ctl stop -m immediate` does. */
  stopImmediately(): Promise<void>;
  /** Starts it again on the same port; resolves when it has recovered and answers. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
};

/** Makes and starts a server with these settings beside Postgres' own defaults, its files `within` a folder. Takes some two seconds. */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  within = tmpdir(),
): Promise<OwnPostgres> {
  const home = await mkdtemp(join(within, 'paygraph-test-'));
  await chmod(home, 0o711);
  const folder = join(home, 'postgres');
  const close = endWithUs(home);
  const user = await chooseUser(folder);
  await initCluster(folder, user, ['--no-sync']);
  const logFile = join(home, 'log');
  const port = await freePort();
  const address = new URL(await clusterUrl(folder, port, 'postgres'));
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    // The children of a server that was stopped immediately need a moment to let go of its memory.
    for (let attempt = 1; ; attempt += 1) {
      child = await startCluster({ folder, user, port, logFile, settings });
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
 * A process that waits for the end of this one, however it comes, then ends Postgres and removes its folder. So a run
 * that is killed leaves nothing behind. The answer does both now.
 */
function endWithUs(home: string): () => Promise<void> {
  const script =
    'cat; pid=$(head -n 1 "$1/postgres/postmaster.pid") && kill -QUIT "$pid"; sleep 0.3; rm -rf "$1"';
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
