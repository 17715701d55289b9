import type { App } from '../../../app.ts';
import { reasonOf } from '../../../platform/brokers/reason.ts';

/** The state of a broker as seen by its outlet. One outage makes two log lines: at its start and at its end. */
export type Outage = {
  /** True until the next attempt is due. */
  isPausing(): boolean;
  /** Notes a failure. Each consecutive one doubles the pause. */
  note(failure: unknown): void;
  /** Notes that the broker answers as it should. */
  end(): void;
};

const PAUSE_MIN_MS = 125;
const PAUSE_MAX_MS = 4_000;

/** Creates the record of the outages of an outlet. The broker counts as working at first. */
export function createOutage({ log }: Pick<App, 'log'>, outlet: string): Outage {
  let since: number | null = null;
  let pauseMs = 0;
  let nextAt = -Infinity;
  return {
    isPausing: () => performance.now() < nextAt,
    note: (failure) => {
      pauseMs = Math.min(Math.max(pauseMs * 2, PAUSE_MIN_MS), PAUSE_MAX_MS);
      nextAt = performance.now() + pauseMs;
      if (since !== null) return;
      since = performance.now();
      const reason = reasonOf(failure);
      log.warn({ outlet, reason }, 'An outlet cannot publish. Its events wait, and it tries again.');
    },
    end: () => {
      if (since === null) return;
      const outageMs = Math.round(performance.now() - since);
      since = null;
      pauseMs = 0;
      nextAt = -Infinity;
      log.info({ outlet, outageMs }, 'An outlet publishes again.');
    },
  };
}
