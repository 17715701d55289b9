import type { Clock } from '../../src/platform/clock.ts';
import { systemClock } from '../../src/platform/clock.ts';

/** Real time that can be moved forward. Sleeping is real. */
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
