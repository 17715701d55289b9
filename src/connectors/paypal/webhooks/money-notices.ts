import { noticeOutcomeOf, type Notice, type NoticeOutcome } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { ownNameOf, readName } from '../names.ts';
import { captureOutcome, refundOutcome } from '../payments/payment-outcome.ts';
import type { EventOf } from '../event.ts';
import { captureOf, linkedId, orderOf, type PaymentResource } from './event.ts';

/**
 * Reads a capture. A capture without an authorisation is a sale, whose operation at Paygraph is the authorisation. A sale without
 * our key is another system's. A capture of an authorisation may be one of our payment, made elsewhere.
 */
export function captureNotices({ id, occurredAt, resource }: EventOf<PaymentResource>): readonly Notice[] {
  const outcome = noticeOutcomeOf(captureOutcome(resource));
  const paymentReference = orderOf(resource);
  if (outcome === null) return [];
  const known = { eventKey: id, occurredAt, paymentReference, outcome };
  if (!isOfAuthorization(resource)) {
    const key = readName(resource.invoice_id ?? resource.custom_id)?.key;
    return key === undefined ? [] : [{ ...known, verb: 'authorize', key, reference: paymentReference }];
  }
  const own = ownNameOf('capture', resource)?.key ?? null;
  const key = own ?? finderOf(resource, paymentReference);
  if (key === null && paymentReference === null) return [];
  const final = resource.final_capture;
  return [
    {
      ...{ ...known, verb: 'capture', key, reference: resource.id },
      ...(own === null && final != null && { final }),
    },
  ];
}

/** Returns the key of the payment that PayPal copied to an operation made elsewhere. Null if another id leads to the payment. */
const finderOf = (resource: PaymentResource, ...others: readonly (string | null)[]): string | null =>
  others.every((other) => other === null) ? (readName(resource.custom_id)?.key ?? null) : null;

const isOfAuthorization = (resource: PaymentResource): boolean =>
  (resource.supplementary_data?.related_ids?.authorization_id ?? linkedId(resource, 'authorizations')) !==
  null;

/** Reads money that PayPal took back from the merchant. The resource is the reversal, with the names of the capture. */
export function reversalNotices({ id, occurredAt, resource }: EventOf<PaymentResource>): readonly Notice[] {
  const money = moneyFromWire(resource.amount);
  const key = ownNameOf('capture', resource)?.key ?? null;
  // A sale has the name of its payment. A capture made elsewhere has a copy of the name.
  const authorizationKey = key === null ? (readName(resource.custom_id)?.key ?? null) : null;
  const reference = captureOf(resource);
  if (money === null || (key ?? authorizationKey ?? reference) === null) return [];
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'capture', key, reference, paymentReference: orderOf(resource) },
      ...{ captureReference: reference, ...(authorizationKey !== null && { authorizationKey }) },
      outcome: reversed(resource, money),
    },
  ];
}

const reversed = (
  resource: PaymentResource,
  money: Extract<NoticeOutcome, { kind: 'reversed' }>['money'],
): NoticeOutcome => ({
  ...{ kind: 'reversed', money, errorCode: 'service_decline', reversalReference: resource.id },
  ...{ rawResponseCode: resource.status_details?.reason ?? resource.status, rawResponseDescription: null },
});

/** The statuses of a refund whose money is with the merchant. */
const FAILED: ReadonlySet<string> = new Set(['FAILED', 'CANCELLED']);

/**
 * Reads a refund.
 *
 * - A failure may come days after the success, and its event does not say whether there was one. So a failure counts as a
 *   reversal, which also decides a pending refund.
 * - A refund of several captures has several refunds at PayPal. The success of one does not decide the whole.
 * - A refund made elsewhere has the link to its capture, and mostly the names of its payment.
 */
export function refundNotices({ id, occurredAt, resource }: EventOf<PaymentResource>): readonly Notice[] {
  const own = ownNameOf('refund', resource);
  const { part, parts } = own ?? { part: 1, parts: 1 };
  const paymentReference = orderOf(resource);
  const captureReference = captureOf(resource);
  const key = own?.key ?? finderOf(resource, paymentReference);
  const hasFailed = FAILED.has(resource.status);
  const outcome = hasFailed ? failureOf(resource, parts) : noticeOutcomeOf(refundOutcome(resource));
  if (outcome === null || (parts > 1 && !hasFailed)) return [];
  if ([key, paymentReference, captureReference].every((name) => name === null)) return [];
  const reference = part === 1 ? resource.id : null;
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'refund', key, reference },
      ...{ paymentReference, captureReference, outcome },
    },
  ];
}

/** Returns the failure of a refund, or of one part of a refund. */
function failureOf(resource: PaymentResource, parts: number): NoticeOutcome | null {
  const money = moneyFromWire(resource.amount);
  return parts === 1 ? reversed(resource, null) : money && reversed(resource, money);
}
