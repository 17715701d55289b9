import { systemClock } from '../../src/platform/clock.ts';
import type { ShiftedClock } from './shifted-clock.ts';

/** Creates a clock that stands still until a test moves it forward. Sleeping takes real time. */
export function createSteppedClock(): ShiftedClock {
  let nowMs = Date.now();
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
