import { createHmac } from 'node:crypto';
import type { DoubleWebhook } from '../double-server.ts';
import type { Amount, NotificationItem, Payment } from './model.ts';

/** A signed notification, with its content for tests. */
export type AdyenNotification = DoubleWebhook & { readonly item: NotificationItem };

export type Signing = {
  /** In hexadecimal digits. */
  readonly hmacKey: string;
  /** The user and the password of Basic authentication, with a colon between. Null: none. */
  readonly basicAuth: string | null;
};

/** Builds the signed request of one item. */
export function signNotification(item: NotificationItem, { hmacKey, basicAuth }: Signing): AdyenNotification {
  const hmacSignature = signatureOf(item, hmacKey);
  const signed = { ...item, additionalData: { ...item.additionalData, hmacSignature } };
  const authorization = `Basic ${Buffer.from(basicAuth ?? '').toString('base64')}`;
  return {
    item,
    headers: { 'content-type': 'application/json', ...(basicAuth === null ? {} : { authorization }) },
    body: JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: signed }] }),
  };
}

/** Signs the eight fields. An absent field counts as empty, and no field is escaped. */
export function signatureOf(item: NotificationItem, hmacKey: string): string {
  const fields = [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ];
  return createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(fields.join(':')).digest('base64');
}

/** The fields in which one event differs from another. */
export type Event = {
  readonly eventCode: string;
  readonly at: Date;
  readonly success?: boolean;
  readonly reason?: string;
  readonly amount?: Amount;
  readonly pspReference?: string;
  readonly originalReference?: string;
  readonly merchantReference?: string;
  readonly operations?: readonly string[];
  readonly additionalData?: Readonly<Record<string, string>>;
};

/** Builds the item of an event about a payment. */
export function itemOf(payment: Payment, event: Event): NotificationItem {
  const { eventCode, at, success = true, reason = '', ...own } = event;
  return {
    amount: payment.amount,
    eventCode,
    eventDate: atAdyen(at),
    merchantAccountCode: payment.merchantAccount,
    merchantReference: payment.reference,
    paymentMethod: payment.method,
    pspReference: payment.pspReference,
    reason,
    success: success ? 'true' : 'false',
    ...own,
  };
}

/** Writes a moment as Adyen's webhooks do, in the time of Amsterdam's winter. */
export const atAdyen = (at: Date): string =>
  new Date(at.getTime() + 3_600_000).toISOString().replace(/\.\d+Z$/, '+01:00');
