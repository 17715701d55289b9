import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from './database.ts';
import { lastingPort } from './lasting-port.ts';
import { answers } from '../../src/platform/postgres/cluster.ts';
import { until } from './until.ts';

/** A PgBouncer in transaction mode before a Postgres server. */
export type Pooler = {
  readonly port: number;
  readonly pid: number;
  /** Returns the settings of Paygraph for a database of the server. */
  settings(database: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/** The settings that Paygraph needs of its roles, without the time limit of reads. */
const OF_ROLES = [
  'ALTER ROLE paygraph SET enable_seqscan = off',
  'ALTER ROLE paygraph SET jit = off',
  'ALTER ROLE paygraph_read SET enable_seqscan = off',
  'ALTER ROLE paygraph_read SET jit = off',
  'ALTER ROLE paygraph_read SET enable_bitmapscan = off',
  'ALTER ROLE paygraph_read SET default_transaction_read_only = on',
  'ALTER ROLE paygraph_read SET max_parallel_workers_per_gather = 0',
];

export type PoolerOptions = {
  /** The folder of a system with PgBouncer. See `findPooler`. */
  readonly root: string;
  /** The address of any database of the server, with the password. */
  readonly server: string;
  /** The time limit of reads of Paygraph. */
  readonly readTimeoutMs: number;
  /** False leaves the roles without their settings. */
  readonly withRoles?: boolean;
  /** The number of named statements of a server connection. 0 carries none. */
  readonly namedStatements?: number;
};

/** Starts a pooler, and gives the server the roles that Paygraph needs behind a pooler. */
export async function startPooler(options: PoolerOptions): Promise<Pooler> {
  const { root, server, readTimeoutMs, withRoles = true, namedStatements = 500 } = options;
  const { hostname, port: serverPort, username, password } = new URL(server);
  const rows = await query(server, `SELECT FROM pg_roles WHERE rolname = 'paygraph_read'`);
  if (rows.length === 0)
    await query(server, `CREATE ROLE paygraph_read LOGIN PASSWORD 'read' IN ROLE pg_read_all_data`);
  const limit = `ALTER ROLE paygraph_read SET statement_timeout = ${readTimeoutMs}`;
  if (withRoles) for (const statement of [...OF_ROLES, limit]) await query(server, statement);
  const port = await lastingPort();
  const folder = await mkdtemp(join(root, 'tmp', 'pooler-'));
  await chmod(folder, 0o777);
  const inside = folder.slice(root.replace(/\/$/, '').length);
  const users = `"${username}" "${password}"\n"paygraph_read" "read"\n`;
  await writeFile(join(folder, 'users'), users, { mode: 0o644 });
  const changes: Changes = [
    ['paygraph = host=db1 port=5432', `* = host=${hostname} port=${serverPort}`],
    ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =\nlogfile = ${inside}/log`],
    ['auth_type = scram-sha-256', 'auth_type = trust'],
    ['auth_file = /etc/pgbouncer/userlist.txt', `auth_file = ${inside}/users`],
    ['max_prepared_statements = 500', `max_prepared_statements = ${namedStatements}`],
    // Each test has a database of its own, and thereby two pools of its own.
    ['default_pool_size = 40', 'default_pool_size = 20'],
  ];
  await writeFile(join(folder, 'ini'), await iniOfPage(changes), { mode: 0o644 });
  const command = ['--userspec=65534:65534', root, '/usr/sbin/pgbouncer', '-q', `${inside}/ini`];
  const child = spawn('chroot', command, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'log'), 'utf8'));
    return await answers(through(port, 'paygraph', 'postgres'));
  }, 'the pooler');
  return {
    port,
    pid: child.pid ?? 0,
    settings: (database) => settingsThrough(port, new URL(`/${database}`, server).href),
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Changes = readonly (readonly [line: string, instead: string])[];

/** Returns the settings of PgBouncer in the operator's page, with other lines in place of some. */
async function iniOfPage(changes: Changes): Promise<string> {
  const page = await readFile('src/docs/operate/postgres.md', 'utf8');
  const [, block = ''] = /```ini\n(\[databases\]\n[^]*?)```/.exec(page) ?? [];
  return changes.reduce((ini, [line, instead]) => {
    if (!ini.includes(`${line}\n`)) throw new Error(`The page has no line "${line}".`);
    return ini.replace(line, instead);
  }, block);
}

const through = (port: number, user: string, database: string): string =>
  `postgresql://${user}@127.0.0.1:${port}/${database}`;

/** Returns the settings of Paygraph for a database behind the pooler of this port. `direct` leads past the pooler. */
export function settingsThrough(port: number, direct: string): Readonly<Record<string, string>> {
  const database = new URL(direct).pathname.slice(1);
  return {
    DATABASE_URL: through(port, 'paygraph', database),
    DATABASE_READ_URL: through(port, 'paygraph_read', database),
    DATABASE_DIRECT_URL: direct,
  };
}
