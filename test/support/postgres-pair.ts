import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterUrl, initCluster, startCluster, whenReady } from '../../src/platform/postgres/cluster.ts';
import { chooseUser, type RunAs } from '../../src/platform/postgres/run-as.ts';
import { query } from './database.ts';
import { lastingPort } from './lasting-port.ts';
import { endWithUs } from './postgres.ts';
import { copyForStandby } from './standby.ts';
import { until } from './until.ts';

/**
 * Two Postgres servers. A commit on the primary is acknowledged when the standby has its log on disk.
 *
 * No manager watches them. The test kills the primary, and promotes the standby.
 */
export type PostgresPair = {
  /** The address of the database `postgres` in the form of libpq, with both hosts. */
  readonly url: string;
  /** Returns the address of the server that takes writes now. */
  primaryUrl(): string;
  /** Returns the address of the server that follows. */
  standbyUrl(): string;
  /** Ends all processes of the primary at once, as the loss of its machine does. */
  killPrimary(): Promise<void>;
  /** Ends all processes of the standby. Commits then wait for no standby. */
  killStandby(): Promise<void>;
  /** Makes the standby the primary. Resolves when the server takes writes. */
  promote(): Promise<void>;
  /** Builds a new standby at the place of the killed server. Resolves when commits wait for the new standby. */
  renewStandby(): Promise<void>;
  close(): Promise<void>;
};

type Server = { readonly folder: string; readonly port: number; child: ChildProcess | null };

/** The log that the primary keeps for a standby that is still copied. */
const SETTINGS = { wal_keep_size: '512MB', max_wal_senders: '4', fsync: 'off' };

/** Starts a primary with a synchronous standby. Takes some four seconds. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const home = await mkdtemp(join(tmpdir(), 'paygraph-pair-'));
  await chmod(home, 0o711);
  const close = endWithUs(home);
  const user = await chooseUser(join(home, 'one'));
  const servers = await Promise.all(
    ['one', 'two'].map(async (name): Promise<Server> => ({
      folder: join(home, name),
      port: await lastingPort(),
      child: null,
    })),
  );
  let [primary, standby] = servers as [Server, Server];
  await initCluster(primary.folder, user, ['--no-sync', '--set=scram_iterations=1']);
  await run(primary, user);
  const urlOf = (server: Server): Promise<string> => clusterUrl(primary.folder, server.port, 'postgres');
  const [primaryUrl, standbyUrl] = await Promise.all([urlOf(primary), urlOf(standby)]);
  const urls = new Map([
    [primary, primaryUrl],
    [standby, standbyUrl],
  ]);
  const currentUrl = (): string => urls.get(primary) ?? '';
  const renewStandby = async (): Promise<void> => {
    await copyForStandby({ from: primary.folder, to: standby.folder, name: 'standby', user }, currentUrl());
    await run(standby, user);
    await waitForCommits(currentUrl(), 'FIRST 1 (standby)');
    await until(async () => await isSynchronous(currentUrl()), 'the standby');
  };
  await renewStandby();
  return {
    url: primaryUrl.replace(/@[^/]*/, `@127.0.0.1:${primary.port},127.0.0.1:${standby.port}`),
    primaryUrl: currentUrl,
    standbyUrl: () => urls.get(standby) ?? '',
    killPrimary: () => kill(primary),
    killStandby: async () => {
      await waitForCommits(currentUrl(), '');
      await kill(standby);
    },
    promote: async () => {
      [primary, standby] = [standby, primary];
      await query(currentUrl(), 'SELECT pg_promote()');
      // Without a standby, commits would wait for ever.
      await waitForCommits(currentUrl(), '');
    },
    renewStandby,
    close,
  };
}

async function run(server: Server, user: RunAs | null): Promise<void> {
  const logFile = `${server.folder}.log`;
  const settings = { unix_socket_directories: server.folder, ...SETTINGS };
  server.child = await startCluster({
    ...{ folder: server.folder, port: server.port },
    user,
    logFile,
    settings,
  });
  server.child.unref();
  const url = await clusterUrl(server.folder, server.port, 'postgres');
  if (!(await whenReady(url, server.child)))
    throw new Error(`Postgres did not start: ${await readFile(logFile, 'utf8')}`);
}

async function kill({ child }: Server): Promise<void> {
  if (child?.pid === undefined) return;
  const ended = once(child, 'exit');
  child.ref();
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** Sets for which standbys a commit waits. */
async function waitForCommits(url: string, names: string): Promise<void> {
  await query(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await query(url, 'SELECT pg_reload_conf()');
}

async function isSynchronous(url: string): Promise<boolean> {
  const rows = await query<{ state: string }>(url, 'SELECT sync_state AS state FROM pg_stat_replication');
  return rows.some(({ state }) => state === 'sync');
}
