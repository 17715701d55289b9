import { setTimeout as delay } from 'node:timers/promises';

/** Time for the whole house, so that a test or a simulation can own it. */
export type Clock = {
  now(): Date;
  /** Resolves after so many milliseconds, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
};
