import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from './patience.ts';

/** Longer than any wait on a slow machine, and shorter than the time of a test. */
export const UNTIL_MAX_MS = 50_000 * PATIENCE;

const LOOK_EVERY_MS = 5;

/** Waits until the condition holds. Throws after the limit of every wait, `UNTIL_MAX_MS`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = 'the condition',
): Promise<void> {
  for (const limit = performance.now() + UNTIL_MAX_MS; !(await condition());) {
    if (performance.now() > limit) throw new Error(`Waited too long for ${what}.`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Waits until there is a value, and returns the value. Throws after the limit of every wait. */
export async function untilFound<Value>(find: () => Promise<Value | null>): Promise<Value> {
  let found: Value | null = null;
  await until(async () => (found = await find()) !== null, 'a value');
  return found as Value;
}
