import { readdir, readFile } from 'node:fs/promises';
import { query } from '../support/database.ts';

/** Returns the processor time of a process so far, in milliseconds. Linux counts in hundredths of a second. */
export async function cpuMs(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Returns the processor time of some processes so far, in milliseconds. */
export async function cpuMsOfAll(processes: readonly { readonly pid: number }[]): Promise<number> {
  const times = await Promise.all(processes.map(({ pid }) => cpuMs(pid)));
  return times.reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
}

/** Returns the processor time of all threads of a process so far, in milliseconds. The scheduler counts in nanoseconds. */
async function exactCpuMs(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
}

/**
 * Returns the processor time so far of a server and of its connections to a database, in milliseconds. Postgres knows the
 * connections by a name that begins with `application`. They must last for the whole measurement.
 */
export const cpuMsWithConnections = async (pid: number, url: string, application: string): Promise<number> =>
  (await exactCpuMs(pid)) + (await cpuMsOfConnections(url, application));

/** Returns the processor time so far of such connections alone. */
export async function cpuMsOfConnections(url: string, application: string): Promise<number> {
  const backends = await query<{ pid: number }>(
    url,
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE '${application}%' AND datname = current_database()`,
  );
  const all = await Promise.all(backends.map((backend) => exactCpuMs(backend.pid)));
  return all.reduce((sum, ms) => sum + ms, 0);
}

/** Returns the processor time of a Postgres so far, with its ended processes. Linux counts in hundredths of a second. */
export async function postgresMs(url: string): Promise<number> {
  const [row] = await query<{ pid: number }>(
    url,
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid",
  );
  const parent = row?.pid ?? 0;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map(statOf));
  const postmaster = await statOf(String(parent));
  const children = stats.filter((stat) => stat?.parent === parent);
  return children.reduce(
    (sum, stat) => sum + (stat?.ownMs ?? 0),
    (postmaster?.ownMs ?? 0) + (postmaster?.endedMs ?? 0),
  );
}

type Stat = { readonly parent: number; readonly ownMs: number; readonly endedMs: number };

async function statOf(pid: string): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { parent: fields[1] ?? 0, ownMs: (user + system) * 10, endedMs: (endedUser + endedSystem) * 10 };
}
