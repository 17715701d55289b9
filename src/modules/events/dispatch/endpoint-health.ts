import type { SettledAttempt, Verdict } from './settled-attempt.ts';

// The states of an endpoint:
//
// - active
// - paused: after three consecutive failures. Its deliveries wait.
// - failing: while the probe at the end of a pause is running.
// - disabled
//
// A failed probe starts the next pause. A success of any attempt makes the endpoint active again.

/** The most concurrent deliveries of one healthy endpoint. */
export const WINDOW_MAX = 8;

/** The number of consecutive failures, over all deliveries, that pauses an endpoint. */
export const FAILURES_TO_PAUSE = 3;

/**
 * The most failures of one delivery that count towards a pause. Further failures concern the event more than the
 * endpoint. One event that a receiver never accepts must not delay the others.
 */
const FAILURES_BLAMED_MAX = 3;

/** The consecutive pauses. All later pauses are as long as the last. A week of pauses has about 2,000 probes. */
export const PAUSES_MS = [5, 10, 20, 40, 80, 160, 300].map((seconds) => seconds * 1_000);

export const PAUSE_MAX_MS = Math.max(...PAUSES_MS);

/** The time of continuous failure after which an endpoint is disabled, if its merchant wants that. */
export const AUTO_DISABLE_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * Summarises attempts, in the order of their ends, for each endpoint. The function `newId` creates the id of a possible
 * event.
 */
export function reportsOf(attempts: readonly SettledAttempt[], newId: () => string): EndpointReport[] {
  return [...Map.groupBy(attempts, ({ endpointId }) => endpointId).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (!first) return [];
    const verdicts = ofOne.map(({ verdict }) => verdict);
    const sinceSuccess = ofOne.slice(verdicts.lastIndexOf('success') + 1);
    const failed = sinceSuccess.filter(({ verdict }) => verdict !== 'throttled');
    return {
      merchantAccountId: first.merchantAccountId,
      endpointId: first.endpointId,
      successes: verdicts.filter((verdict) => verdict === 'success').length,
      failures: failed.filter(({ probe, attempt }) => probe || attempt < FAILURES_BLAMED_MAX).length,
      probeFailed: sinceSuccess.some(({ probe }) => probe),
      worst: SEVERITY.findLast((verdict) => verdicts.includes(verdict)) ?? 'success',
      lastFailure: failureText(sinceSuccess.at(-1)),
      eventId: newId(),
    };
  });
}

const SEVERITY: readonly Verdict[] = ['success', 'throttled', 'failure', 'gone'];

const failureText = (attempt: SettledAttempt | undefined): string | null =>
  attempt === undefined
    ? null
    : (attempt.error?.replaceAll('_', ' ') ?? `status ${attempt.statusCode ?? 'unknown'}`);

/** The results of a batch of attempts for one endpoint. */
export type EndpointReport = {
  readonly merchantAccountId: string;
  readonly endpointId: string;
  readonly successes: number;
  /** The failures that count towards a pause: since the last success, or all without a success. */
  readonly failures: number;
  /** True if a probe since the last success was not accepted, 429 included. */
  readonly probeFailed: boolean;
  readonly worst: Verdict;
  /** For example `status 500` or `timeout`. Null after a success. */
  readonly lastFailure: string | null;
  /** The id of the event, if the endpoint's health changes. */
  readonly eventId: string;
};
