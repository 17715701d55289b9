import { systemClock, type Clock } from '../../src/platform/clock.ts';

/** Returns a clock that stands still at the present moment, so no copy gets old. Sleeping takes real time. */
export function createStandingClock(): Clock {
  const now = new Date();
  return { ...systemClock, now: () => now };
}
