import type { AttemptResult } from '../delivery/attempt-result.ts';

/**
 * The verdict of an attempt. A 429 is `throttled`, which is no failure of the delivery. A 410 is `gone`: the receiver
 * wants no more events.
 */
export type Verdict = 'success' | 'failure' | 'throttled' | 'gone';

/** The result of an attempt and the next step of its delivery. */
export type SettledAttempt = AttemptResult & {
  /** The attempt's id. */
  readonly id: string;
  readonly merchantAccountId: string;
  readonly endpointId: string;
  readonly position: string;
  readonly lease: string;
  /** The number of the delivery's earlier failed attempts. */
  readonly attempt: number;
  /** True for a probe of a paused endpoint. A failed probe uses no attempt of the delivery. */
  readonly probe: boolean;
  readonly startedAt: Date;
  readonly state: 'done' | 'pending' | 'expired';
  /** The moment of the next attempt. Null unless pending. */
  readonly nextAt: Date | null;
  /** The effect of the attempt on the endpoint's health. */
  readonly verdict: Verdict;
};
