import { performance } from 'node:perf_hooks';

/** Parts of an exchange, each from the end of the one before; null when it was not needed or its end was not reached. */
export type HttpTiming = {
  /** Of the name; null for a literal address and on a kept connection. */
  readonly lookupMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From when the request could be sent to the first byte of the reply. */
  readonly firstByteMs: number | null;
};

/** Of an exchange in which nothing was reached. */
export const NO_TIMING: HttpTiming = { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

export type Stopwatch = {
  /** The part has ended now. */
  lap(part: keyof HttpTiming): void;
  timing(): HttpTiming;
};

export function startStopwatch(): Stopwatch {
  let timing = NO_TIMING;
  let lapped = performance.now();
  return {
    lap: (part) => {
      const now = performance.now();
      timing = { ...timing, [part]: Math.round(now - lapped) };
      lapped = now;
    },
    timing: () => timing,
  };
}
