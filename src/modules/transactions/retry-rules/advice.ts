import { isRetriedLater } from '../../../connectors/codes/decline-codes.ts';
import type { Operation } from '../model/operation.ts';
import type { RetryPlanReason } from './plan.ts';

const HOUR_MS = 3_600_000;

/** The meaning of a refusal for a later try. */
export type Advice =
  | { readonly kind: 'never'; readonly reason: RetryPlanReason }
  /** Null: any later time. */
  | { readonly kind: 'later'; readonly notBefore: Date | null };

type Refused = Pick<Operation, 'errorCode' | 'merchantAdviceCode'> & {
  /** The time of the refusal. */
  readonly at: Date;
};

/**
 * Reads from a refusal whether a later try of the same payment is allowed, and from when on.
 *
 * The advice codes are Mastercard's, as Braintree, PayPal and acquirers publish them. Some other schemes' providers use them, too.
 * An unknown advice changes nothing.
 */
export function adviceOf({ errorCode, merchantAdviceCode, at }: Refused): Advice {
  const advice = merchantAdviceCode ?? '';
  if (FORBIDDEN.has(advice) || errorCode === 'refused_transaction') return never('tries_forbidden');
  if (advice === NEW_DATA) return never('new_card_data_needed');
  if (errorCode === null || !isRetriedLater(errorCode)) return never('not_retriable');
  const hours = WAITS.get(advice);
  return { kind: 'later', notBefore: hours === undefined ? null : new Date(at.getTime() + hours * HOUR_MS) };
}

const never = (reason: RetryPlanReason): Advice => ({ kind: 'never', reason });

/** 03: do not try again. 21: the cardholder stopped the payments. 41: a card number for one payment alone. */
const FORBIDDEN: ReadonlySet<string> = new Set(['03', '21', '41']);

/** The issuer has new data of the card. The old data is declined again. */
const NEW_DATA = '01';

/** The hours to wait after an advice. 02 says later, and acquirers name 72 hours. */
const WAITS: ReadonlyMap<string, number> = new Map([
  ['02', 72],
  ['24', 1],
  ['25', 24],
  ['26', 2 * 24],
  ['27', 4 * 24],
  ['28', 6 * 24],
  ['29', 8 * 24],
  ['30', 10 * 24],
]);

/**
 * The most authorisations of one card for one amount within 30 days. Null: the scheme publishes no such limit.
 *
 * - Visa: 15 in 30 days. Since May 2025 Visa allows 20 in most regions, and several acquirers still charge from the 16th.
 * - Mastercard: 35 in 30 days (Transaction Processing Excellence).
 */
export const attemptsMaxOf = (scheme: string | null): number | null => LIMITS.get(scheme ?? '') ?? null;

const LIMITS: ReadonlyMap<string, number> = new Map([
  ['visa', 15],
  ['mastercard', 35],
  ['maestro', 35],
]);

/** The period in which a scheme counts. */
export const LIMIT_MS = 30 * 24 * HOUR_MS;
