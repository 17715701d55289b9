import { readdir, readFile } from 'node:fs/promises';
import { query } from '../support/database.ts';

/** Returns the processor time of a process so far, in milliseconds. Linux counts in hundredths of a second. */
export async function cpuMs(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
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
export async function cpuMsWithConnections(pid: number, url: string, application: string): Promise<number> {
  const backends = await query<{ pid: number }>(
    url,
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE '${application}%' AND datname = current_database()`,
  );
  const all = await Promise.all([pid, ...backends.map((backend) => backend.pid)].map(exactCpuMs));
  return all.reduce((sum, ms) => sum + ms, 0);
}
