import { execFile, spawn } from 'node:child_process';
import { chown, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandAs, type RunAs } from '../../src/platform/postgres/run-as.ts';
import { freezeProcessesIn, killProcessesIn } from './folder-processes.ts';
import { lastingPort } from './lasting-port.ts';

/** The file of Patroni that operators copy. */
export const PATRONI_FILE = 'src/deploy/patroni/patroni.yml';

/** Reads the file with the reader of Patroni, which needs Python and its YAML anyway. */
export async function readPatroniFile(): Promise<PatroniFile> {
  const program = 'import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)';
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', program, PATRONI_FILE]);
  return JSON.parse(stdout) as PatroniFile;
}

export type PatroniFile = {
  readonly scope: string;
  readonly bootstrap: { readonly dcs: object; readonly initdb: readonly unknown[] };
};

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
  const copied = await readPatroniFile();
  const settings = settingsOf(name, folder, copied, { ...cluster, postgresPort, patroniPort });
  await writeFile(file, JSON.stringify(settings));
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

/** The settings of a node: the file that operators copy, with addresses, folders and the user of the test. */
function settingsOf(
  name: string,
  folder: string,
  { scope, bootstrap }: PatroniFile,
  { etcdPort, programs, postgresPort, patroniPort }: Cluster & Ports,
): object {
  const at = (port: number): object => ({
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
  });
  const trusted = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return {
    ...{ scope, name, bootstrap },
    restapi: at(patroniPort),
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    postgresql: {
      ...at(postgresPort),
      ...{ data_dir: join(folder, 'data'), bin_dir: programs, pgpass: join(folder, 'pgpass') },
      authentication: { superuser: { username: USER }, replication: { username: USER } },
      parameters: { unix_socket_directories: folder, fsync: 'off' },
      pg_hba: ['local all all trust', ...trusted],
    },
  };
}
