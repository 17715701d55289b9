import { readFile } from 'node:fs/promises';

/** Returns the most memory that a process has held so far, in MB. Null without Linux. */
export async function peakMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return peak === undefined ? null : Number(peak) / 1000;
}
