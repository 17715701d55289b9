import { forErrors } from './colours.ts';
import type { Progress } from '../platform/process/progress.ts';

/** The time after which a waiting person is told the reason. */
const PATIENCE_MS = 1_000;

/** Prints, on standard error, the name of work that takes longer than a second, and its duration at the end. */
export const printProgress: Progress = async (what, work) => {
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  const timer = setTimeout(() => print(`${what} …`), PATIENCE_MS);
  try {
    const value = await work();
    if (seconds() * 1_000 > PATIENCE_MS) print(`${what}: ${seconds().toFixed(1)} s`);
    return value;
  } finally {
    clearTimeout(timer);
  }
};

function print(line: string): void {
  process.stderr.write(`${forErrors.dim(line)}\n`);
}
