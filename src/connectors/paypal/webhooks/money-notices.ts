import type { Notice, NoticeOutcome } from '../../webhook.ts';
import { moneyFromWire } from '../amount.ts';
import { readName } from '../names.ts';
import { captureOutcome, refundOutcome } from '../payments/payment-outcome.ts';
import type { EventOf } from '../event.ts';
import { linkedId, orderOf, type PaymentResource } from './event.ts';
import { reduced } from './notice-outcome.ts';

/** Reads a capture. A capture without an authorisation is a sale, whose operation at Paygraph is the authorisation. */
export function captureNotices({ id, occurredAt, resource }: EventOf<PaymentResource>): readonly Notice[] {
  const outcome = reduced(captureOutcome(resource));
  const key = readName(resource.invoice_id)?.key;
  const paymentReference = orderOf(resource);
  if (outcome === null || key === undefined) return [];
  const known = { eventKey: id, occurredAt, key, paymentReference, outcome };
  return isOfAuthorization(resource)
    ? [{ ...known, verb: 'capture', reference: resource.id }]
    : [{ ...known, verb: 'authorize', reference: paymentReference }];
}

const isOfAuthorization = (resource: PaymentResource): boolean =>
  (resource.supplementary_data?.related_ids?.authorization_id ?? linkedId(resource, 'authorizations')) !==
  null;

/** Reads money that PayPal took back from the merchant. The resource is the reversal, with the names of the capture. */
export function reversalNotices({ id, occurredAt, resource }: EventOf<PaymentResource>): readonly Notice[] {
  const money = moneyFromWire(resource.amount);
  const key = readName(resource.invoice_id)?.key ?? null;
  const reference = linkedId(resource, 'captures');
  if (money === null || (key === null && reference === null)) return [];
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'capture', key, reference, paymentReference: orderOf(resource) },
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
 */
export function refundNotices({ id, occurredAt, resource }: EventOf<PaymentResource>): readonly Notice[] {
  const name = readName(resource.custom_id);
  if (name === null) return [];
  const { key, part, parts } = name;
  const hasFailed = FAILED.has(resource.status);
  const outcome = hasFailed ? failureOf(resource, parts) : reduced(refundOutcome(resource));
  if (outcome === null || (parts > 1 && !hasFailed)) return [];
  const reference = part === 1 ? resource.id : null;
  return [
    {
      eventKey: id,
      occurredAt,
      verb: 'refund',
      key,
      reference,
      paymentReference: orderOf(resource),
      outcome,
    },
  ];
}

/** Returns the failure of a refund, or of one part of a refund. */
function failureOf(resource: PaymentResource, parts: number): NoticeOutcome | null {
  const money = moneyFromWire(resource.amount);
  return parts === 1 ? reversed(resource, null) : money && reversed(resource, money);
}
