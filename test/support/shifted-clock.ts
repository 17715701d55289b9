import type { Clock } from '../../src/platform/clock.ts';
import { systemClock } from '../../src/platform/clock.ts';

/** A real clock that a test can move forward. Sleeping takes real time. */
export type ShiftedClock = Clock & { advance(ms: number): void };

export function createShiftedClock(): ShiftedClock {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    advance: (ms) => {
      offset += ms;
    },
  };
}
