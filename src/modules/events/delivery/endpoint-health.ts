import type { SettledAttempt, Verdict } from './settled-attempt.ts';

// An endpoint's state: active; after three failures in a row paused, when its deliveries wait; failing while the one
// delivery is on its way that probes it at the end of a pause; and disabled. A probe that fails makes the next pause, a
// success of any attempt makes it active again.

/** Deliveries of one endpoint that may be under way at once, when it answers well. */
export const WINDOW_MAX = 8;

/** Failures in a row, of whichever deliveries, after which an endpoint is paused. */
export const FAILURES_TO_PAUSE = 3;

/**
 * A delivery's failures beyond so many say more about its event than about the endpoint, and do not count towards a
 * pause: one event that a receiver never takes must not keep the others waiting.
 */
const FAILURES_BLAMED_MAX = 3;

/** The pauses in a row; all later ones are as long as the last. A week of them has about 2,000 probes. */
export const PAUSES_MS = [5, 10, 20, 40, 80, 160, 300].map((seconds) => seconds * 1_000);

export const PAUSE_MAX_MS = Math.max(...PAUSES_MS);

/** An endpoint that has failed for so long is disabled, if its merchant wants that. */
export const AUTO_DISABLE_AFTER_MS = 7 * 24 * 3_600_000;

/** What attempts, in the order in which they ended, say about each endpoint. `newId` names an event that may follow. */
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
      lastFailure: shownFailure(sinceSuccess.at(-1)),
      eventId: newId(),
    };
  });
}

const SEVERITY: readonly Verdict[] = ['success', 'throttled', 'failure', 'gone'];

const shownFailure = (attempt: SettledAttempt | undefined): string | null =>
  attempt === undefined
    ? null
    : (attempt.error?.replaceAll('_', ' ') ?? `status ${attempt.statusCode ?? 'unknown'}`);

/** What a batch of attempts says about one endpoint. */
export type EndpointReport = {
  readonly merchantAccountId: string;
  readonly endpointId: string;
  readonly successes: number;
  /** Failures that count, since the last success or all of them when there was none. */
  readonly failures: number;
  /** Whether a probe since then was not taken, 429 included. */
  readonly probeFailed: boolean;
  readonly worst: Verdict;
  /** For example `status 500` or `timeout`; null after a success. */
  readonly lastFailure: string | null;
  /** Of the event, if the endpoint's health changes. */
  readonly eventId: string;
};
