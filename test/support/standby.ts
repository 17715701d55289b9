import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { clusterUrl, startCluster, whenReady } from '../../src/platform/postgres/cluster.ts';
import { chooseUser, type RunAs } from '../../src/platform/postgres/run-as.ts';
import { query } from './database.ts';
import { lastingPort } from './lasting-port.ts';
import { endWithUs } from './postgres.ts';

/** A server of this machine that follows a primary and answers queries. */
export type Standby = {
  /** Returns the address of a database. */
  url(database: string): string;
  close(): Promise<void>;
};

/** Starts a standby of a primary on this machine. No commit waits for it. `name` tells it from others of the primary. */
export async function startStandby(primaryUrl: string, name: string): Promise<Standby> {
  const home = await mkdtemp(join(tmpdir(), 'paygraph-standby-'));
  await chmod(home, 0o711);
  const close = endWithUs(home);
  const folder = join(home, 'postgres');
  const [primary] = await query<{ data_directory: string }>(primaryUrl, 'SHOW data_directory');
  const from = primary?.data_directory ?? '';
  await copyForStandby({ from, to: folder, name, user: await chooseUser(from) }, primaryUrl);
  const [port, logFile] = [await lastingPort(), join(home, 'log')];
  const settings = { unix_socket_directories: folder };
  const child = await startCluster({ folder, user: await chooseUser(folder), port, logFile, settings });
  child.unref();
  const url = new URL(await clusterUrl(folder, port, 'postgres'));
  if (!(await whenReady(url.href, child)))
    throw new Error(`The standby did not start: ${await readFile(logFile, 'utf8')}`);
  return { url: (database) => new URL(`/${database}`, url).href, close };
}

export type Copied = {
  /** The folder of the running primary, and that of the standby. */
  readonly from: string;
  readonly to: string;
  /** The name by which the primary knows the standby. */
  readonly name: string;
  readonly user: RunAs | null;
};

/** Copies the running primary into the folder of a standby, which then follows the primary's log. The folder's contents go. */
export async function copyForStandby({ from, to, name, user }: Copied, url: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_backup_start($1, true)', [name]);
  // A file that the primary removes meanwhile is not needed.
  await promisify(execFile)('sh', ['-c', 'cp -a "$1" "$2" 2>/dev/null; true', 'sh', from, to]);
  const { rows } = await client.query<{ label: string }>(
    'SELECT labelfile AS label FROM pg_backup_stop(false)',
  );
  await client.end();
  const inside = (file: string): string => join(to, file);
  for (const file of ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'standby.signal', 'log'])
    await rm(inside(file), { recursive: true, force: true });
  for (const file of ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries'])
    await mkdir(inside(file), { mode: 0o700 });
  await writeFile(inside('backup_label'), rows[0]?.label ?? '');
  await writeFile(inside('standby.signal'), '');
  const { username, password, port } = new URL(url);
  const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${name}`;
  await appendFile(inside('postgresql.auto.conf'), `\nprimary_conninfo = '${conninfo}'\n`);
  const made = ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'backup_label', 'standby.signal'];
  if (user) await Promise.all(made.map((file) => chown(inside(file), user.uid, user.gid)));
}
