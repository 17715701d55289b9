import type { App } from '../../../app.ts';
import { reasonOf } from '../../../platform/brokers/reason.ts';
import { tellOutages } from '../../../platform/outage.ts';

/** The state of a broker as seen by its outlet. The log tells of each outage once. */
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
export function createOutage(app: Pick<App, 'log' | 'clock'>, outlet: string): Outage {
  const told = tellOutages(
    {
      about: { outlet },
      began: 'An outlet cannot publish. Its events wait, and it tries again.',
      continues: 'An outlet still cannot publish.',
      ended: 'An outlet publishes again.',
      reason: reasonOf,
    },
    app,
  );
  let pauseMs = 0;
  let nextAt = -Infinity;
  return {
    isPausing: () => performance.now() < nextAt,
    note: (failure) => {
      pauseMs = Math.min(Math.max(pauseMs * 2, PAUSE_MIN_MS), PAUSE_MAX_MS);
      nextAt = performance.now() + pauseMs;
      told.failed(failure);
    },
    end: () => {
      pauseMs = 0;
      nextAt = -Infinity;
      told.worked();
    },
  };
}
