import { setTimeout as delay } from 'node:timers/promises';

/**
 * Yields random moments without end, so many a second. Each comes at its time, or late when the consumer was late.
 */
export async function* randomMoments(
  perSecond: number,
  from = performance.now(),
): AsyncGenerator<number, never> {
  for (let due = from; ;) {
    due += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    const earlyMs = due - performance.now();
    if (earlyMs > 0) await delay(earlyMs);
    yield due;
  }
}
