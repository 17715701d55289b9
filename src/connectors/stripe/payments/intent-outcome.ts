import type { Awaits, KnownCard, Outcome } from '../../door.ts';
import { fromStripe } from '../model/amount.ts';
import type { PaymentIntent, SetupIntent } from '../api/answers.ts';
import { bankDetailsOf, debitOf, knownOf, wordsOfCharge } from './charge-words.ts';
import { refusalOf, type ErrorContext } from '../errors/errors.ts';
import { MEANS, NETWORK_TOKEN, raisedElsewhere, raisesOf, sumOf } from '../model/names.ts';
import { writeToken } from '../model/token.ts';

export const UNREADABLE: Outcome = { kind: 'unknown', cause: 'unreadable' };

/**
 * Returns the outcome of an authorisation by the state of its intent. A state without a rule is `unknown`. A success of
 * another kind than `capture` asks for is `unknown` too. With null, the intent itself says what was asked for. Later increases
 * are left out.
 */
export function authorizationOutcome(
  intent: PaymentIntent,
  capture: boolean | null = null,
  context: ErrorContext = {},
): Outcome {
  const isSale = intent.capture_method !== 'manual';
  // The answer to a request comes before any increase elsewhere, so another amount there is another amount.
  const elsewhere = capture === null ? raisedElsewhere(intent) : 0;
  const raised = sumOf(raisesOf(intent.metadata)) + elsewhere;
  switch (intent.status) {
    case 'requires_capture':
      // A capture in parts leaves a rest. The authorised amount is both.
      return capture === true
        ? UNREADABLE
        : success(intent, intent.amount_capturable + intent.amount_received - raised);
    case 'succeeded':
      if (capture === false) return UNREADABLE;
      return success(intent, isSale ? intent.amount_received : intent.amount - raised);
    case 'processing':
      return accepted(intent, {});
    case 'requires_action':
      return awaiting(intent);
    case 'requires_payment_method':
      return refusedIntent(intent, context);
    case 'canceled':
      // A part was captured, and the rest was released.
      if (intent.amount_received > 0) return success(intent, intent.amount - raised);
      return canceled(intent.id, intent.cancellation_reason ?? null);
    default:
      return UNREADABLE;
  }
}

function success(intent: PaymentIntent, amount: number): Outcome {
  const money = fromStripe(amount, intent.currency);
  if (money === null) return UNREADABLE;
  const words = wordsOfCharge(intent.latest_charge);
  const card = words.card && isNetworkToken(intent) ? { card: withoutDigits(words.card) } : {};
  return { kind: 'succeeded', reference: intent.id, money, ...words, ...card, ...knownOf(intent) };
}

const isNetworkToken = ({ metadata }: PaymentIntent): boolean => metadata[MEANS] === NETWORK_TOKEN;

/** Leaves out the digits and the date of a network token, which are not those of the card. */
const withoutDigits = ({ scheme, bin }: KnownCard): KnownCard => ({
  ...{ scheme, bin, lastFour: null, expirationDate: null },
});

function accepted(intent: PaymentIntent, awaits: Awaits): Outcome {
  const details = bankDetailsOf(intent);
  return {
    ...{ kind: 'accepted', reference: intent.id },
    ...(details && { debit: debitOf(details) }),
    ...awaits,
    ...{ rawResponseCode: intent.status, rawResponseDescription: null },
  };
}

/**
 * Maps an intent that waits for the buyer. Stripe itself writes to the payer of a bank account about its verification.
 * Without a step the buyer could never act, so the outcome is unknown.
 */
function awaiting(intent: PaymentIntent): Outcome {
  const step = stepOf(intent.next_action);
  if (step !== null) return accepted(intent, step);
  return isVerification(intent.next_action) ? accepted(intent, {}) : UNREADABLE;
}

type NextAction = PaymentIntent['next_action'];

/**
 * Returns the buyer's step: a page of Stripe, the reference of a voucher, or a code. Null for a step that no
 * buyer can take.
 */
function stepOf(action: NextAction): Awaits | null {
  const page = pageOf(action);
  const reference = referenceOf(action);
  const end = endOf(action);
  if (page !== null) return { approvalUrl: page, ...reference, ...end };
  const shown = reference.paymentReference === undefined ? codeOf(action) : reference;
  return shown && { ...shown, ...end };
}

/** Returns the end of a code or a voucher, which Stripe gives in unix seconds. */
function endOf(action: NextAction): Pick<Awaits, 'expiresAt'> {
  const seconds = action?.step.expires_at ?? null;
  return seconds === null ? {} : { expiresAt: new Date(seconds * 1000) };
}

/** Returns Stripe's page for a step: of a redirect, with a code, or with a voucher. Null for a step without a page. */
const pageOf = (action: NextAction): string | null =>
  action?.step.url ?? action?.step.hosted_instructions_url ?? action?.step.hosted_voucher_url ?? null;

/** Returns the reference of a voucher. Multibanco's has the entity before it. Konbini has one for each shop, so none here. */
function referenceOf(action: NextAction): Awaits {
  if (!action?.type.endsWith('_display_details')) return {};
  const { entity, number, reference } = action.step;
  const parts = [entity, number ?? reference].filter((part) => part != null);
  return parts.length > 0 ? { paymentReference: parts.join(' ') } : {};
}

const codeOf = (action: NextAction): Awaits | null =>
  action?.type.endsWith('_display_qr_code') && action.step.data ? { qrCode: action.step.data } : null;

const isVerification = (action: NextAction): boolean => action?.type === 'verify_with_microdeposits';

/** True if the intent waits for something that nobody can do. */
export const isTrap = ({ status, next_action: action }: PaymentIntent | SetupIntent): boolean =>
  status === 'requires_action' && stepOf(action) === null && !isVerification(action);

function refusedIntent(intent: PaymentIntent, context: ErrorContext): Outcome {
  const { last_payment_error: error, latest_charge: charge } = intent;
  // Without an error, nothing was tried.
  return error ? refusalOf(error, intent.id, { ...context, outcome: charge?.outcome ?? null }) : UNREADABLE;
}

/** The reason with which a payment is cancelled whose buyer did not come back in time. */
export const ABANDONED = 'abandoned';

const canceled = (reference: string, reason: string | null): Outcome => ({
  ...{ kind: 'failed', reference },
  errorCode: reason === ABANDONED ? 'incomplete_buyer_approval' : 'canceled',
  ...{ rawResponseCode: reason ?? 'canceled', rawResponseDescription: null },
});

/** Returns the outcome of an authorisation of nothing, by the state of its setup intent. */
export function setupOutcome(intent: SetupIntent, currency: string): Outcome {
  const { id: reference, customer, payment_method: method } = intent;
  const words = { rawResponseCode: null, rawResponseDescription: null };
  switch (intent.status) {
    case 'succeeded':
      return {
        ...{ kind: 'succeeded', reference, money: { amount: 0, currency }, ...words },
        ...(customer && method && { recurringToken: writeToken(customer, method) }),
      };
    case 'processing':
      return { kind: 'accepted', reference, ...words };
    case 'requires_action': {
      const step = stepOf(intent.next_action);
      if (step !== null) return { kind: 'accepted', reference, ...step, ...words };
      return isVerification(intent.next_action) ? { kind: 'accepted', reference, ...words } : UNREADABLE;
    }
    case 'requires_payment_method':
      return intent.last_setup_error ? refusalOf(intent.last_setup_error, reference) : UNREADABLE;
    case 'canceled':
      return canceled(reference, intent.cancellation_reason ?? null);
    default:
      return UNREADABLE;
  }
}
