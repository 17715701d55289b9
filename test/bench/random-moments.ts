import { setTimeout as delay } from 'node:timers/promises';

/** Random moments without end, so many a second: each is given when it has come, or late if nobody waited for it. */
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
