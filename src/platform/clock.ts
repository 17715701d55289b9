import { setTimeout as delay } from 'node:timers/promises';

/** The clock of the whole service. Tests and simulations replace it. */
export type Clock = {
  now(): Date;
  /** Resolves after some milliseconds, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
};
