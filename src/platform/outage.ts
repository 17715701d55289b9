import type { Clock } from './clock.ts';
import { isUnavailable } from './database/database-faults.ts';
import { describeError, type DescribedError } from './describe-error.ts';
import type { Log } from './log.ts';

/** Tells about the failures of repeated work in few lines. */
export type Outages = {
  /** Notes a failed round. */
  failed(error: unknown): void;
  /** Notes a round without a failure. */
  worked(): void;
};

type Outage = {
  readonly sinceMs: number;
  failures: number;
  lastMs: number;
  /** The time of the next line, and the silence after it. */
  tellAtMs: number;
  silenceMs: number;
};

const SILENCE_MIN_MS = 60_000;
const SILENCE_MAX_MS = 3_600_000;

/** The work that may fail, and the words about its outages. */
export type Watched = {
  /** The name of the work, in every line. */
  readonly about: Readonly<Record<string, string>>;
  readonly began: string;
  readonly continues: string;
  readonly ended: string;
  /** Describes a failure for the log. The default is `describeFailure`. */
  readonly reason?: (error: unknown) => unknown;
};

/** Work that fails in every second round has one outage. Without this bound, each round would tell of it. */
const STEADY_MS = 1_000;

/**
 * Creates the teller of one work. An outage has one line at its begin with the reason, and one at its end with its length. A long
 * outage has further lines. The silence before them is a minute at first, and doubles up to an hour.
 */
export function tellOutages(
  { about, began, continues, ended, reason = describeFailure }: Watched,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Outages {
  let outage: Outage | null = null;
  const begin = (nowMs: number, error: unknown): Outage => {
    log.error({ ...about, error: reason(error) }, began);
    return {
      ...{ sinceMs: nowMs, failures: 1, lastMs: nowMs },
      ...{ tellAtMs: nowMs + SILENCE_MIN_MS, silenceMs: SILENCE_MIN_MS },
    };
  };
  const go = (known: Outage, nowMs: number, error: unknown): void => {
    known.failures += 1;
    known.lastMs = nowMs;
    if (nowMs < known.tellAtMs) return;
    known.silenceMs = Math.min(known.silenceMs * 2, SILENCE_MAX_MS);
    known.tellAtMs = nowMs + known.silenceMs;
    const { failures, sinceMs } = known;
    log.error({ ...about, failures, failingMs: nowMs - sinceMs, error: reason(error) }, continues);
  };
  return {
    failed: (error) => {
      const nowMs = clock.now().getTime();
      if (outage) go(outage, nowMs, error);
      else outage = begin(nowMs, error);
    },
    worked: () => {
      if (!outage) return;
      const nowMs = clock.now().getTime();
      if (nowMs - outage.lastMs < STEADY_MS) return;
      const { failures, sinceMs } = outage;
      log.warn({ ...about, failures, lastedMs: nowMs - sinceMs }, ended);
      outage = null;
    },
  };
}

/** Describes a failure. An unreachable database needs no stack. */
function describeFailure(error: unknown): DescribedError {
  const described = describeError(error);
  return isUnavailable(error) ? { ...described, frames: [] } : described;
}
