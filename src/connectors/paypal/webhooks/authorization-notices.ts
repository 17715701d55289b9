import { noticeOutcomeOf, timeOf, type Notice } from '../../door.ts';
import { readName } from '../names.ts';
import { authorizationOutcome } from '../payments/payment-outcome.ts';
import type { EventOf } from '../event.ts';
import { orderOf, type Order, type PaymentResource, type StoredToken } from './event.ts';

const NO_WORDS = { rawResponseCode: null, rawResponseDescription: null } as const;

/** Reads the approval of a buyer. The payment still has to be completed. */
export function approvedNotices({ id, occurredAt, resource }: EventOf<Order>): readonly Notice[] {
  const key = readName(resource.purchase_units[0]?.custom_id)?.key;
  if (key === undefined) return [];
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'authorize', key },
      ...{ reference: resource.id, paymentReference: resource.id },
      outcome: {
        kind: 'accepted',
        approved: true,
        rawResponseCode: 'APPROVED',
        rawResponseDescription: null,
      },
    },
  ];
}

/**
 * Reads an authorisation. The id of the payment is that of the order, and not that of the authorisation. Without our key, only
 * the end of an authorisation tells something.
 */
export function authorizationNotices(event: EventOf<PaymentResource>): readonly Notice[] {
  const { id, occurredAt, resource } = event;
  const key = readName(resource.custom_id)?.key ?? null;
  const reference = orderOf(resource);
  const isEnd = resource.status === 'VOIDED';
  if (key === null && !(isEnd && reference !== null)) return [];
  const known = { eventKey: id, occurredAt, paymentReference: reference };
  if (isEnd) return [{ ...known, ...endOf(event, key) }];
  const outcome = noticeOutcomeOf(authorizationOutcome(resource, resource.id));
  return outcome === null ? [] : [{ ...known, verb: 'authorize', key, reference, outcome }];
}

/** Tells an expiry from a void. PayPal reports both alike, and only the time tells the two apart. */
function endOf(
  { occurredAt, resource }: EventOf<PaymentResource>,
  key: string | null,
): Pick<Notice, 'verb' | 'key' | 'reference' | 'authorizationKey' | 'outcome'> {
  const end = timeOf(resource.expiration_time);
  const words = { rawResponseCode: resource.status, rawResponseDescription: null };
  return end !== null && occurredAt !== null && occurredAt >= end
    ? {
        verb: 'authorize',
        key,
        reference: orderOf(resource),
        outcome: { kind: 'expired', ofOne: true, ...words },
      }
    : {
        ...{ verb: 'void', key: null, reference: null, authorizationKey: key },
        outcome: { kind: 'succeeded', money: null, ...words },
      };
}

/** Reads the name of a payment method that a payment stored. */
export function tokenNotices({ id, occurredAt, resource }: EventOf<StoredToken>): readonly Notice[] {
  const reference = resource.metadata?.order_id ?? null;
  if (reference === null) return [];
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'authorize', key: null, reference, paymentReference: reference },
      outcome: { kind: 'token_created', recurringToken: resource.id, ...NO_WORDS },
    },
  ];
}
