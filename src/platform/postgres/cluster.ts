import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { postgresProgram } from './binaries.ts';
import { commandAs, type Command, type RunAs } from './run-as.ts';

/** The only user of an embedded server, and the file with its password. */
export const CLUSTER_USER = 'paygraph';
const PASSWORD_FILE = 'paygraph.password';

/**
 * Creates an empty Postgres at `folder`: UTF-8, sorted by code point on every machine. A random password is in a file
 * that only its user may read. The database is created in a draft folder and renamed, so a crash leaves no partial
 * database.
 */
export async function initCluster(
  folder: string,
  user: RunAs | null,
  options: readonly string[] = [],
): Promise<void> {
  const draft = `${folder}.new`;
  const passwordFile = `${draft}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (user) await Promise.all([draft, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  const initdb = commandAs(user, postgresProgram('initdb'), [
    `--pgdata=${draft}`,
    `--username=${CLUSTER_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...options,
  ]);
  const reported = await runToEnd(initdb).catch(String);
  if (reported !== null)
    throw new OperatorError(`The database folder ${folder} could not be made: ${reported}`);
  await rename(passwordFile, join(draft, PASSWORD_FILE));
  await rename(draft, folder);
}

/**
 * Runs a program in its own session, so that Ctrl-C in the terminal reaches only this process. The program and its children
 * end with this process, because they would disturb the next start. Returns the words of a failure, or null.
 */
async function runToEnd({ file, args, identity }: Command): Promise<string | null> {
  const child = spawn(file, [...args], {
    ...{ ...identity, env: {}, detached: true },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = (): void => endGroup(child.pid);
  process.once('exit', end);
  try {
    const [, reported] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    return child.exitCode === 0 ? null : reported.trim();
  } finally {
    process.removeListener('exit', end);
  }
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

/** The location and the additional settings of a server. */
export type ClusterStart = {
  readonly folder: string;
  readonly user: RunAs | null;
  readonly port: number;
  /** The file for standard output and error of Postgres. Each start truncates it. */
  readonly logFile: string;
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * The settings of every server.
 *
 * Autovacuum looks for work each 5 s, not each minute. A connection keeps the plan of an empty table until the next ANALYZE.
 * Such a plan reads all records of an account. It cost the payments of a first minute a fifth more time of Postgres.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  autovacuum_naptime: '5s',
};

/**
 * Starts Postgres in its own session, so that Ctrl-C in the terminal reaches only this process. Does not wait for it.
 */
export async function startCluster({
  folder,
  user,
  port,
  logFile,
  settings,
}: ClusterStart): Promise<ChildProcess> {
  const all = { ...SETTINGS, ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, identity } = commandAs(user, postgresProgram('postgres'), [
    '-D',
    folder,
    '-p',
    String(port),
    ...options,
  ]);
  const log = await open(logFile, 'w', 0o600);
  const child = spawn(file, [...args], {
    ...identity,
    env: {},
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.on('error', () => undefined);
  await log.close();
  return child;
}

/** Returns the address of a database of the server. Reads the password from its folder. */
export async function clusterUrl(folder: string, port: number, database: string): Promise<string> {
  const password = await readFile(join(folder, PASSWORD_FILE), 'utf8');
  return `postgresql://${CLUSTER_USER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Waits for a started server. Returns true when it answers. Returns false when it ended or was silent for a minute. */
export async function whenReady(url: string, child: ChildProcess): Promise<boolean> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(20)) {
    if (await answers(url)) return true;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
  }
  return false;
}

/** Returns true if the server answers a statement. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns a port that is free now. Another program may take it before its use. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
