import type { KnownCard, Money, Outcome, ProviderWords } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Captured, ProcessorResponse, Refund, StatusEvent, Transaction } from '../answers.ts';
import { UNREADABLE } from '../exchange.ts';
import { namesIn } from '../names.ts';
import { declineOf, isUncertain, rejectionOf } from '../processor-codes.ts';
import { captureEventOf, decisionOf, eventOf, isCaptured, isEnded } from './status.ts';

/** The outcome of a work that failed on its way. Its look-up tells the end. */
const ON_ITS_WAY: Outcome = { kind: 'unknown', cause: 'server_error', arrived: true };

/**
 * Returns the outcome of an authorisation by its transaction. Nothing after a success changes the outcome: a capture, a refund and the
 * end of the authorisation are told apart.
 *
 * - `isLookUp`: a failure on the way to the processor counts as the end.
 */
export function authorizationOutcome(
  transaction: Transaction,
  { isLookUp }: { readonly isLookUp: boolean },
): Outcome {
  const { id: reference, status } = transaction;
  const decision = decisionOf(transaction);
  const words = wordsOf(status, decision);
  switch (status) {
    case 'AUTHORIZING':
      return { kind: 'accepted', reference, ...words };
    case 'PROCESSOR_DECLINED':
    case 'FAILED':
      if (!isLookUp && (status === 'FAILED' || isUncertain(decision?.processorResponse?.legacyCode)))
        return ON_ITS_WAY;
      return { ...refusalOf(status, decision), reference, ...words };
    case 'GATEWAY_REJECTED':
      return { ...rejectionOf(decision?.gatewayRejectionReason), reference, ...words };
    case 'AUTHORIZED':
    case 'SETTLEMENT_DECLINED':
      return succeeded(transaction, words);
    default:
      return isCaptured(transaction) || isEnded(transaction) ? succeeded(transaction, words) : UNREADABLE;
  }
}

const refusalOf = (status: string, event: StatusEvent | undefined) =>
  status === 'FAILED'
    ? ({ kind: 'failed', errorCode: 'service_error' } as const)
    : declineOf(event?.processorResponse?.legacyCode, event?.declineType);

/** Returns a success with the authorised money, also after a capture of a part. */
function succeeded(transaction: Transaction, words: ProviderWords): Outcome {
  const { id: reference, paymentMethodSnapshot: snapshot, paymentMethod } = transaction;
  const money = authorizedOf(transaction);
  const { vaults } = namesIn(transaction.orderId);
  if (money === null) return UNREADABLE;
  return {
    ...{ kind: 'succeeded', reference, money, ...words, ...cardOf(transaction) },
    ...(snapshot?.networkTransactionId != null && { schemeTransactionId: snapshot.networkTransactionId }),
    ...(vaults && paymentMethod?.usage === 'MULTI_USE' && { recurringToken: paymentMethod.id }),
  };
}

/** Returns the money that a transaction holds or once held. Null if we cannot express the amount. */
export function authorizedOf(transaction: Transaction): Money | null {
  // A sale may have no event of its authorisation.
  const event = eventOf(transaction, 'AUTHORIZED') ?? captureEventOf(transaction);
  return moneyFromWire(event?.amount ?? transaction.amount);
}

function wordsOf(status: string, event: StatusEvent | undefined): ProviderWords {
  const response = event?.processorResponse ?? null;
  return {
    rawResponseCode: response?.legacyCode ?? event?.gatewayRejectionReason ?? status,
    rawResponseDescription: response?.message ?? null,
    authResponseCode: response?.authorizationId ?? null,
    ...(event?.networkResponse && { networkResponseCode: event.networkResponse.code ?? null }),
    ...(event?.merchantAdviceCodeResponse && {
      merchantAdviceCode: event.merchantAdviceCodeResponse.code ?? null,
    }),
    ...checksOf(response),
  };
}

function checksOf(response: ProcessorResponse): Pick<ProviderWords, 'avsResponseCode' | 'cvvResponseCode'> {
  if (!response) return {};
  return {
    avsResponseCode: avsOf(response.avsStreetAddressResponse, response.avsPostalCodeResponse),
    cvvResponseCode: RESULTS[response.cvvResponse ?? ''] ?? 'unavailable',
  };
}

/** The results of a check. Any other one says that the bank checked nothing. */
const RESULTS: Readonly<Record<string, string>> = {
  ...{ MATCHES: 'match', DOES_NOT_MATCH: 'no_match', NOT_PROVIDED: 'not_provided' },
};

/** Joins the checks of the street and of the postal code. Only given parts are checked. */
function avsOf(street: string | null | undefined, postal: string | null | undefined): string {
  const checked = [street, postal].filter((word) => word === 'MATCHES' || word === 'DOES_NOT_MATCH');
  if (checked.length === 0) return 'unavailable';
  if (checked.every((word) => word === 'MATCHES')) return 'match';
  if (checked.every((word) => word === 'DOES_NOT_MATCH')) return 'no_match';
  return street === 'MATCHES' ? 'partial_match_address' : 'partial_match_postcode';
}

/** Our names of the schemes, by Braintree's. */
const SCHEMES: Readonly<Record<string, string>> = {
  ...{ AMERICAN_EXPRESS: 'amex', DINERS: 'diners_club', DISCOVER: 'discover', ELO: 'elo', HIPER: 'hiper' },
  ...{ HIPERCARD: 'hipercard', INTERNATIONAL_MAESTRO: 'maestro', UK_MAESTRO: 'maestro', JCB: 'jcb' },
  ...{ MASTERCARD: 'mastercard', UNION_PAY: 'unionpay', VISA: 'visa' },
};

function cardOf({ paymentMethodSnapshot: snapshot }: Transaction): Pick<ProviderWords, 'card'> {
  const given = snapshot?.creditCard ?? snapshot;
  if (!given || given.last4 == null) return {};
  const { brandCode, bin, last4, expirationMonth: month, expirationYear: year } = given;
  const card: KnownCard = {
    scheme: SCHEMES[brandCode?.toUpperCase() ?? ''] ?? null,
    bin: /^\d{6,8}$/.test(bin ?? '') ? (bin ?? null) : null,
    lastFour: /^\d{4}$/.test(last4) ? last4 : null,
    expirationDate: month && year ? `${month.padStart(2, '0')}/${year.slice(-2)}` : null,
  };
  return { card };
}

/** Returns the outcome of a capture by its transaction. Null if nothing was captured. */
export function captureOutcome(captured: Captured, reference: string): Outcome | null {
  const { status } = captured;
  const event = captureEventOf(captured);
  const words = { rawResponseCode: status, rawResponseDescription: null };
  if (status === 'SETTLEMENT_DECLINED')
    return { kind: 'declined', reference, errorCode: 'other_decline', ...words };
  if (!event) return isCaptured(captured) ? UNREADABLE : null;
  if (status === 'SETTLEMENT_PENDING') return { kind: 'accepted', reference, ...words };
  if (!isCaptured(captured) && status !== 'VOIDED') return UNREADABLE;
  const money = moneyFromWire(event.amount ?? captured.amount);
  return money === null ? UNREADABLE : { kind: 'succeeded', reference, money, ...words };
}

/** Returns the outcome of a refund by its status. */
export function refundOutcome(refund: Refund): Outcome {
  const { id: reference, status } = refund;
  const decision = decisionOf(refund);
  const words = wordsOf(status, decision);
  switch (status) {
    case 'AUTHORIZING':
      return { kind: 'accepted', reference, ...words };
    case 'PROCESSOR_DECLINED':
    case 'FAILED':
      return { ...refusalOf(status, decision), reference, ...words };
    case 'GATEWAY_REJECTED':
      return { ...rejectionOf(decision?.gatewayRejectionReason), reference, ...words };
    case 'SETTLEMENT_DECLINED':
      return { kind: 'failed', reference, errorCode: 'service_decline', ...words };
    case 'VOIDED':
      return { kind: 'failed', reference, errorCode: 'canceled', ...words };
    default: {
      const money = isCaptured(refund) || status === 'AUTHORIZED' ? moneyFromWire(refund.amount) : null;
      return money === null ? UNREADABLE : { kind: 'succeeded', reference, money, ...words };
    }
  }
}
