import { performance } from 'node:perf_hooks';

/**
 * The phases of an exchange, each from the end of the previous phase. Null when a phase was unnecessary or did not end.
 */
export type HttpTiming = {
  /** The name look-up. Null for a literal address and on a reused connection. */
  readonly lookupMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** The time from the first possible sending to the first byte of the reply. */
  readonly firstByteMs: number | null;
};

/** The timing of an exchange without any phase. */
export const NO_TIMING: HttpTiming = { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

export type Stopwatch = {
  /** Records the end of a phase. */
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
