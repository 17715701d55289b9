import { readFile } from 'node:fs/promises';

/** Returns the most memory that a process has held so far, in MB. Null without Linux. */
export const peakMb = (pid: number): Promise<number | null> => readMb(pid, 'VmHWM');

/** Returns the memory that a process holds, in MB. Null without Linux. */
export const heldMb = (pid: number): Promise<number | null> => readMb(pid, 'VmRSS');

async function readMb(pid: number, field: string): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kb = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return kb === undefined ? null : Number(kb) / 1000;
}
