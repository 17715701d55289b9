import type { HttpTiming } from '../../../platform/http-client.ts';

/** `throttled` is 429: not a failure of the delivery. `gone` is 410: the receiver wants nothing any more. */
export type Verdict = 'success' | 'failure' | 'throttled' | 'gone';

/** What came of an attempt and what follows for the delivery. */
export type SettledAttempt = {
  /** Of the attempt. */
  readonly id: string;
  readonly merchantAccountId: string;
  readonly endpointId: string;
  readonly position: string;
  readonly lease: string;
  /** How many attempts of the delivery failed before. */
  readonly attempt: number;
  /** It shows whether a paused endpoint answers again: its failure uses no attempt of the delivery up. */
  readonly probe: boolean;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly timing: HttpTiming;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** At most 4 kB, without U+0000. */
  readonly replyStart: string | null;
  readonly state: 'done' | 'pending' | 'expired';
  /** When to try again; null unless pending. */
  readonly nextAt: Date | null;
  /** What the attempt says about the endpoint. */
  readonly verdict: Verdict;
};
