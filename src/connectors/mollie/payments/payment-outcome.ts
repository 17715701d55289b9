import type { DeclineCode, KnownCard, Outcome, ProviderWords } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Capture, Payment, Refund } from '../answers.ts';
import { failureOf } from '../errors.ts';
import { CARD } from '../methods.ts';
import { writeToken } from '../stored-token.ts';
import { UNREADABLE } from './read-payment.ts';

/** The decided statuses in which a payment holds nothing and has taken nothing. */
export const ENDED: ReadonlySet<string> = new Set(['canceled', 'expired', 'failed']);

/** True if the money of a payment is held first, and captured later. */
export const isManual = ({ captureMode }: Payment): boolean => captureMode === 'manual';

/** True if the money of a payment was held, even if the authorisation has ended since. */
export const wasHeld = (payment: Payment): boolean =>
  isManual(payment) &&
  (payment.status === 'authorized' || (payment.authorizedAt !== null && AFTER_HOLD.has(payment.status)));

/** The statuses that follow an authorisation. Another word may mean anything. */
const AFTER_HOLD: ReadonlySet<string> = new Set([...ENDED, 'paid']);

/**
 * Returns the outcome of an authorisation by its payment. Nothing after a success changes the outcome. A capture, a refund and the
 * end of the authorisation are told apart.
 */
export function paymentOutcome(payment: Payment): Outcome {
  if (wasHeld(payment)) return success(payment);
  switch (payment.status) {
    case 'open':
    case 'pending':
      return waiting(payment);
    case 'authorized':
      // A sale is never held first.
      return UNREADABLE;
    case 'paid':
      return success(payment);
    case 'canceled':
      return ended(payment, 'cancelled_buyer_approval');
    case 'expired':
      return ended(payment, 'incomplete_buyer_approval');
    case 'failed':
      return failed(payment);
    default:
      return UNREADABLE;
  }
}

function waiting(payment: Payment): Outcome {
  const page = payment.status === 'open' ? (payment._links?.checkout?.href ?? null) : null;
  const waits = { kind: 'accepted', reference: payment.id, ...wordsOf(payment) } as const;
  return page === null ? waits : { ...waits, approvalUrl: page };
}

/** Returns a success with the money of the payment itself, never that of the request. */
function success(payment: Payment): Outcome {
  const money = moneyFromWire(payment.amount);
  if (money === null) return UNREADABLE;
  const token = tokenOf(payment);
  return {
    ...{ kind: 'succeeded', reference: payment.id, money, ...wordsOf(payment), ...cardOf(payment) },
    ...(token !== null && { recurringToken: token }),
  };
}

/** Returns the name of the method that a first payment stored. */
const tokenOf = ({ sequenceType, customerId, mandateId }: Payment): string | null =>
  sequenceType === 'first' && customerId != null && mandateId != null
    ? writeToken({ customerId, mandateId })
    : null;

const ended = (payment: Payment, errorCode: DeclineCode): Outcome => ({
  ...{ kind: 'failed', reference: payment.id, errorCode, ...wordsOf(payment) },
});

function failed(payment: Payment): Outcome {
  const { kind, code: errorCode } = failureOf(payment.details?.failureReason);
  return { kind, reference: payment.id, errorCode, ...wordsOf(payment) };
}

const wordsOf = ({ status, details }: Payment): ProviderWords => ({
  rawResponseCode: details?.failureReason ?? status,
  rawResponseDescription: null,
});

/** Our names of the schemes, by Mollie's labels in lower case. */
const SCHEMES: Readonly<Record<string, string>> = {
  ...{ 'american express': 'amex', 'carte bleue': 'carte_bancaire', dankort: 'dankort' },
  ...{ 'diners club': 'diners_club', discover: 'discover', jcb: 'jcb', maestro: 'maestro' },
  ...{ mastercard: 'mastercard', unionpay: 'unionpay', visa: 'visa' },
};

function cardOf({ method, details }: Payment): Pick<ProviderWords, 'card' | 'cardCountry'> {
  if (method !== CARD || !details) return {};
  const { cardNumber, cardLabel, cardCountryCode } = details;
  const card: KnownCard = {
    scheme: SCHEMES[cardLabel?.toLowerCase() ?? ''] ?? null,
    ...{ bin: null, expirationDate: null },
    lastFour: /^\d{4}$/.test(cardNumber ?? '') ? (cardNumber ?? null) : null,
  };
  return { card, cardCountry: cardCountryCode ?? null };
}

const wordOf = ({ status }: Capture): ProviderWords => ({
  rawResponseCode: status,
  rawResponseDescription: null,
});

function done(made: Capture): Outcome {
  const money = moneyFromWire(made.amount);
  return money === null ? UNREADABLE : { kind: 'succeeded', reference: made.id, money, ...wordOf(made) };
}

/** Returns the outcome of a capture by its status. */
export function captureOutcome(made: Capture): Outcome {
  switch (made.status) {
    case 'pending':
      return { kind: 'accepted', reference: made.id, ...wordOf(made) };
    case 'succeeded':
      return done(made);
    case 'failed':
      return { kind: 'declined', reference: made.id, errorCode: 'other_decline', ...wordOf(made) };
    default:
      return UNREADABLE;
  }
}

/** Returns the outcome of a refund by its status. */
export function refundOutcome(made: Refund): Outcome {
  switch (made.status) {
    case 'queued':
    case 'pending':
    case 'processing':
      return { kind: 'accepted', reference: made.id, ...wordOf(made) };
    case 'refunded':
      return done(made);
    case 'failed':
      return { kind: 'failed', reference: made.id, errorCode: 'service_decline', ...wordOf(made) };
    case 'canceled':
      return { kind: 'failed', reference: made.id, errorCode: 'canceled', ...wordOf(made) };
    default:
      return UNREADABLE;
  }
}
