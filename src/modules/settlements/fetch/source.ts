import type { SettlementAnswer } from '../../../connectors/notices/settlements.ts';
import type { SettlementService } from '../settlement.ts';

/**
 * The cause of a failed fetch.
 *
 * - `refused`: the provider refused the credentials or the cursor.
 * - `unavailable`: the provider gave no answer.
 * - `unreadable`: the provider's page cannot be read or stored.
 */
export type SettlementFailure = 'refused' | 'unavailable' | 'unreadable';

/** The place up to which the settlements of a payment service are fetched. */
export type SettlementSource = SettlementService & {
  /** The provider's own word for the place. Null before the first page. */
  readonly cursor: string | null;
  /** The time of the next fetch. A process that asks the provider has until then. */
  readonly nextFetchAt: Date;
  /** The moment of the latest page. Null before the first. */
  readonly fetchedAt: Date | null;
  /** The number of failed fetches since the latest page. */
  readonly failures: number;
  readonly failure: SettlementFailure | null;
  /** The provider's words about a refusal. */
  readonly failureReason: string | null;
  /** The moment of the first failure since the latest page. */
  readonly failedAt: Date | null;
  readonly createdAt: Date;
};

/** The pause after the last page. */
export const PAUSE_MS = 15 * 60_000;

/** The pause after the first failure, and the longest pause. */
const FIRST_MS = 30_000;
const LONGEST_MS = 3_600_000;

type State = Pick<
  SettlementSource,
  'cursor' | 'nextFetchAt' | 'fetchedAt' | 'failures' | 'failure' | 'failureReason' | 'failedAt'
>;

/** The columns after a page. A further page is due at once. */
export const afterPage = (
  now: Date,
  { cursor, more }: { readonly cursor: string; readonly more: boolean },
): State => ({
  ...{ cursor, fetchedAt: now, nextFetchAt: more ? now : new Date(now.getTime() + PAUSE_MS) },
  ...{ failures: 0, failure: null, failureReason: null, failedAt: null },
});

type Failed = Exclude<SettlementAnswer, { readonly kind: 'page' }>;

/** The columns after a failure. The cursor stays. Each pause is twice as long as the one before, from 30 s to an hour. */
export function afterFailure(now: Date, source: SettlementSource, answer: Failed): State {
  const pauseMs = Math.min(FIRST_MS * 2 ** Math.min(source.failures, 20), LONGEST_MS);
  return {
    ...{ cursor: source.cursor, fetchedAt: source.fetchedAt, nextFetchAt: new Date(now.getTime() + pauseMs) },
    failures: source.failures + 1,
    failure: failureOf(answer),
    failureReason: answer.kind === 'refused' ? answer.reason : null,
    failedAt: source.failedAt ?? now,
  };
}

function failureOf(answer: Failed): SettlementFailure {
  if (answer.kind === 'refused') return 'refused';
  return answer.cause === 'unreadable' ? 'unreadable' : 'unavailable';
}
