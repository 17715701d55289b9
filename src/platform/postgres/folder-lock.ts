import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../operator-error.ts';

/** The longest wait. Starting and stopping take seconds, so a longer holder hangs. */
const WAIT_MS = 90_000;

/**
 * Runs `work` under the lock of a file, and waits for its turn. The lock is SQLite's on an empty file. The operating
 * system frees it whenever its holder dies, unlike a file with a process number.
 */
export async function withFolderLock<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const lock = new DatabaseSync(file);
  try {
    for (const deadline = performance.now() + WAIT_MS; !tryLock(lock); await delay(50)) {
      if (performance.now() > deadline) {
        throw new OperatorError(
          `Another process has been starting or stopping the database at ${file} for too long.`,
        );
      }
    }
    return await work();
  } finally {
    lock.close();
  }
}

const SQLITE_BUSY = 5;

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { readonly errcode?: unknown }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
