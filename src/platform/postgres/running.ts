import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import { answers, clusterUrl } from './cluster.ts';

/** The longest wait. Recovery after a crash may take this long. A server that is silent for longer hangs. */
const WAIT_MS = 60_000;

/**
 * Returns the port of the Postgres that runs on the folder, or null. Waits for a server that is starting or stopping.
 * Removes a stale postmaster.pid whose process is gone or is another program. Otherwise Postgres would refuse to start
 * while any process has that number.
 */
export async function findRunning(folder: string): Promise<number | null> {
  for (const deadline = performance.now() + WAIT_MS; ; await delay(50)) {
    const found = await readPidFile(folder);
    if (!found) return null;
    if (!(await runsOn(found.pid, folder))) {
      await rm(pidFile(folder), { force: true });
      return null;
    }
    if (found.port !== null && (await answers(await clusterUrl(folder, found.port, 'postgres'))))
      return found.port;
    if (performance.now() > deadline) {
      throw new OperatorError(
        `The database at ${folder} is running as process ${found.pid} but does not answer. End that process and start again.`,
      );
    }
  }
}

/** Stops the Postgres that runs on the folder and closes its connections. Resolves when everything is written. */
export async function stopRunning(folder: string): Promise<void> {
  const found = await readPidFile(folder);
  if (!found || !(await runsOn(found.pid, folder))) return;
  process.kill(found.pid, 'SIGINT');
  // Postgres removes the file as its last act. The process may remain as a zombie if its parent does not collect it.
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; await delay(20)) {
    const left = await readPidFile(folder);
    if (left?.pid !== found.pid || !(await runsOn(found.pid, folder))) return;
  }
  throw new OperatorError(`The database at ${folder} (process ${found.pid}) did not end.`);
}

const pidFile = (folder: string): string => join(folder, 'postmaster.pid');

/**
 * Reads the file's lines: process, data folder, start time, port, and more. A starting server writes it line by line.
 */
async function readPidFile(
  folder: string,
): Promise<{ readonly pid: number; readonly port: number | null } | null> {
  const text = await readFile(pidFile(folder), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) || null };
}

/** Returns true if the process is alive and is a Postgres that was started on this folder. */
async function runsOn(pid: number, folder: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => commandOf(pid));
  return words.includes('postgres') && words.includes(folder);
}

/** Returns the command of a process without /proc. Empty when the process does not exist. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return '';
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout;
}
