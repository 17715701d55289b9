import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseUser, type RunAs } from '../../src/platform/postgres/run-as.ts';
import { endFolderWithUs } from './folder-processes.ts';
import { lastingPort } from './lasting-port.ts';
import { createNode, runIn, USER, type Node } from './patroni-node.ts';
import { until } from './until.ts';

/** A primary with a synchronous standby under Patroni, which keeps its state in etcd. Patroni alone promotes. */
export type PatroniPair = {
  /** The address of the database `postgres` in the form of libpq, with both hosts. */
  readonly url: string;
  /** Returns the address of the server that takes writes now. */
  primaryUrl(): string;
  /** Loses the primary. Postgres and Patroni end at once, or a frozen machine keeps their connections open and silent. */
  losePrimary(loss: Loss): Promise<void>;
  /** Resolves when the former standby takes writes. */
  promotion(): Promise<void>;
  /**
   * Starts the lost node again, as after the reset of its machine. Resolves when commits wait for it. A frozen node does not wake.
   * Patroni 3.0.2 would give the lock back to the node, and lose what the next primary wrote.
   */
  rejoin(): Promise<void>;
  close(): Promise<void>;
};

export type Loss = 'killed' | 'frozen';

const PACKAGES = '/usr/lib/postgresql';

/**
 * Returns the folder with the programs of Debian's latest Postgres, or null. The programs of the embedded Postgres can neither copy nor
 * rewind.
 */
export function findPrograms(): string | null {
  if (!existsSync(PACKAGES)) return null;
  const folders = readdirSync(PACKAGES)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(PACKAGES, version, 'bin'));
  // A client alone has a folder too.
  return folders.find((folder) => existsSync(join(folder, 'pg_rewind'))) ?? null;
}

/** Starts etcd and both nodes. Takes some twenty seconds. */
export async function startPatroniPair(programs: string): Promise<PatroniPair> {
  const home = await mkdtemp(join(tmpdir(), 'paygraph-patroni-'));
  await chmod(home, 0o711);
  const close = endFolderWithUs(home);
  try {
    return { ...(await startIn(home, programs)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startIn(home: string, programs: string): Promise<Omit<PatroniPair, 'close'>> {
  const user = await chooseUser(join(home, 'one'));
  const etcdPort = await startEtcd(home, user);
  const cluster = { home, user, etcdPort, programs };
  let primary = await createNode('one', cluster);
  let standby = await createNode('two', cluster);
  const hosts = [primary, standby].map(hostOf).join();
  const logs = async (): Promise<string> => {
    const names = ['etcd', 'one', 'two'].map((name) => join(home, `${name}.log`));
    const texts = await Promise.all(names.map((name) => readFile(name, 'utf8').catch(() => '')));
    return texts.map((text) => text.slice(-LOG_MAX)).join('\n\n');
  };
  const rejoin = async (): Promise<void> => {
    await standby.kill();
    await standby.start();
    await until(() => standby.is('synchronous'), 'the standby').catch(async (error: unknown) => {
      throw new Error(`The node did not come back: ${await logs()}`, { cause: error });
    });
  };
  await primary.start();
  await until(() => primary.is('primary'), 'the primary');
  await rejoin();
  return {
    url: `postgresql://${USER}@${hosts}/postgres?target_session_attrs=read-write`,
    primaryUrl: () => addressOf(primary),
    losePrimary: async (loss) => {
      [primary, standby] = [standby, primary];
      await (loss === 'killed' ? standby.kill() : standby.freeze());
    },
    promotion: () => whenPromoted(addressOf(primary)),
    rejoin,
  };
}

const LOG_MAX = 4_000;

const hostOf = ({ postgresPort }: Node): string => `127.0.0.1:${postgresPort}`;

const addressOf = (node: Node): string => `postgresql://${USER}@${hostOf(node)}/postgres`;

/** Starts etcd with one member. Returns the port of its clients. */
async function startEtcd(home: string, user: RunAs | null): Promise<number> {
  const [port, peerPort] = [await lastingPort(), await lastingPort()];
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const folder = join(home, 'etcd');
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  await runIn(folder, user, 'etcd', [
    ...[`--data-dir=${join(folder, 'data')}`, '--name=etcd', `--initial-cluster=etcd=${peerUrl}`],
    ...[`--listen-client-urls=${url}`, `--advertise-client-urls=${url}`],
    ...[`--listen-peer-urls=${peerUrl}`, `--initial-advertise-peer-urls=${peerUrl}`],
  ]);
  const isHealthy = (): Promise<boolean> =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isHealthy, 'etcd');
  return port;
}

/** Waits on one connection, because a standby keeps its connections when it becomes the primary. */
async function whenPromoted(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await until(async () => {
      const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      return rows[0]?.standby === false;
    }, 'the promotion');
  } finally {
    await client.end();
  }
}
