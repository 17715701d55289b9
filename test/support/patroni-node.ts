import { spawn } from 'node:child_process';
import { chown, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandAs, type RunAs } from '../../src/platform/postgres/run-as.ts';
import { freezeProcessesIn, killProcessesIn } from './folder-processes.ts';
import { lastingPort } from './lasting-port.ts';

/** The smallest values that Patroni permits, in seconds. Its rule is `loop_wait + 2 * retry_timeout <= ttl`. */
const TIMING = { ttl: 20, loop_wait: 1, retry_timeout: 3 };

/** The cluster that a node belongs to. */
export type Cluster = {
  /** The folder of all nodes, and of etcd. */
  readonly home: string;
  readonly user: RunAs | null;
  readonly etcdPort: number;
  /** The folder with the programs of Postgres. */
  readonly programs: string;
};

/** One Patroni with its Postgres. */
export type Node = {
  readonly postgresPort: number;
  start(): Promise<void>;
  /** Ends Postgres and Patroni at once, as the loss of their machine does. */
  kill(): Promise<void>;
  /** Stops Postgres and Patroni until they are killed. Their connections stay open and silent. */
  freeze(): Promise<void>;
  /** Returns true if Patroni says that the node has this role. */
  is(role: 'primary' | 'synchronous'): Promise<boolean>;
};

/** The only user of the cluster, with all rights. */
export const USER = 'paygraph';

export async function createNode(name: string, cluster: Cluster): Promise<Node> {
  const { home, user } = cluster;
  const folder = join(home, name);
  const [postgresPort, patroniPort] = [await lastingPort(), await lastingPort()];
  const file = join(folder, 'patroni.json');
  await mkdir(folder, { mode: 0o700 });
  // Every document of JSON is one of YAML.
  await writeFile(file, JSON.stringify(settingsOf(name, folder, { ...cluster, postgresPort, patroniPort })));
  if (user) await Promise.all([folder, file].map((path) => chown(path, user.uid, user.gid)));
  return {
    postgresPort,
    start: () => runIn(folder, user, 'patroni', [file]),
    kill: () => killProcessesIn(folder),
    freeze: () => freezeProcessesIn(folder),
    is: (role) =>
      fetch(`http://127.0.0.1:${patroniPort}/${role}`).then(
        ({ ok }) => ok,
        () => false,
      ),
  };
}

/** Starts a program in a folder. Its output goes to a file beside the folder. */
export async function runIn(
  folder: string,
  user: RunAs | null,
  program: string,
  given: readonly string[],
): Promise<void> {
  const { file, args, identity } = commandAs(user, program, given);
  const log = await open(`${folder}.log`, 'a', 0o600);
  const child = spawn(file, [...args], {
    ...identity,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.on('error', () => undefined);
  child.unref();
  await log.close();
}

type Ports = { readonly postgresPort: number; readonly patroniPort: number };

function settingsOf(
  name: string,
  folder: string,
  { etcdPort, programs, postgresPort, patroniPort }: Cluster & Ports,
): object {
  const at = (port: number): object => ({
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
  });
  const trusted = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return {
    ...{ scope: 'paygraph', name },
    restapi: at(patroniPort),
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...TIMING,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      ...at(postgresPort),
      ...{ data_dir: join(folder, 'data'), bin_dir: programs, pgpass: join(folder, 'pgpass') },
      authentication: { superuser: { username: USER }, replication: { username: USER } },
      parameters: { unix_socket_directories: folder, fsync: 'off' },
      pg_hba: ['local all all trust', ...trusted],
    },
  };
}
