import {
  isSignedByOne,
  ok,
  parseJson,
  refuse,
  secretsIn,
  timeOf,
  type LookUpNotice,
  type PartReceiver,
  type Result,
  type UnreadReason,
  type VerifiedWebhook,
  type WebhookNotice,
  type WebhookRefusal,
  type WebhookRequest,
  type Webhooks,
} from '../../door.ts';
import type { Action, Payment } from '../answers.ts';
import { disputeNotices } from '../disputes/dispute-report.ts';
import { eventSchema, paymentData, type Event, type PaymentData, type Telling } from '../event.ts';
import { paymentNamedIn } from '../names.ts';
import { wasApproved } from '../payments/payment-outcome.ts';
import { isDeclined, PARTIAL } from '../response-codes.ts';
import { changeNotices, isOdd, isOfPayment, paymentNotices } from './payment-notices.ts';

/** The reader of the webhooks of workflows. Each has one event, and its signature covers the whole body. */
export const checkoutWebhooks: Webhooks = {
  verify,
  read: readEvent,
};

const SIGNATURE_HEADER = 'cko-signature';

/** Takes a webhook whose bytes one of the service's keys signed. The signature has no time, so it never ends. */
function verify({ headers, rawBody, credentials }: WebhookRequest): Result<VerifiedWebhook, WebhookRefusal> {
  const { [SIGNATURE_HEADER]: hex = '' } = headers;
  const signatures = /^[0-9a-f]{64}$/i.test(hex) ? [Buffer.from(hex, 'hex')] : [];
  return isSignedByOne({ secrets: secretsIn(credentials['signature_key']), signatures, parts: [rawBody] })
    ? ok({ parts: [String(rawBody)], unsigned: 0, isSigned: true })
    : refuse('bad_signature');
}

/**
 * Reads an event of Checkout.com.
 *
 * - An event of another processing channel gives no notice. One workflow may serve all channels of a company.
 * - An event about a payment of another system gives no notice. A change without our key does, because somebody may have made it
 *   for a payment of ours.
 */
function readEvent(part: string, { credentials }: PartReceiver): Result<readonly Told[], UnreadReason> {
  const event = eventSchema.safeParse(parseJson(part)).data;
  if (!event) return refuse('unreadable_body');
  const { processing_channel_id: channel } = event.data;
  if (channel != null && channel !== credentials['processing_channel_id']) return ok([]);
  const notices = noticesOf(event);
  if (notices === 'unknown_kind') return isNewKind(event.type) ? refuse('unknown_kind') : ok([]);
  return notices ? ok(notices) : refuse('unreadable_item');
}

/** The state of a payment by the type of an event. */
const STATUSES: Readonly<Record<string, string | undefined>> = {
  payment_approved: 'Authorized',
  payment_pending: 'Pending',
  payment_declined: 'Declined',
  payment_authentication_failed: 'Declined',
  payment_canceled: 'Canceled',
  payment_expired: 'Expired',
  card_verified: 'Card Verified',
  card_verification_declined: 'Declined',
};

/**
 * True for an event that does not tell what became of the authorisation. A look-up releases an approved part. The end of a payment may
 * be that of its authorisation, or that of a visit to the page.
 */
const isOpenEnded = (data: PaymentData, status: string | undefined): boolean =>
  data.response_code === PARTIAL || (status === 'Expired' && !wasApproved(data) && !isDeclined(data));

type ToldChange = Pick<Action, 'type'> & { readonly approved: boolean | null };

/** The change of a payment by the type of an event. `approved` is null for a change without a decision. */
const CHANGES: Readonly<Record<string, ToldChange | undefined>> = {
  payment_captured: { type: 'Capture', approved: true },
  payment_capture_declined: { type: 'Capture', approved: false },
  payment_capture_pending: { type: 'Capture', approved: null },
  payment_refunded: { type: 'Refund', approved: true },
  payment_refund_declined: { type: 'Refund', approved: false },
  payment_refund_pending: { type: 'Refund', approved: null },
  payment_voided: { type: 'Void', approved: true },
  payment_void_declined: { type: 'Void', approved: false },
};

/** True for a type of event that may move money, and that nobody knows here yet. */
const isNewKind = (type: string): boolean =>
  /^(payment|card|dispute)_/.test(type) && !OF_NO_CONCERN.test(type);

/** The types of events that tell nothing new: checks of instruments, payouts, and steps before an evidence is asked for. */
const OF_NO_CONCERN = /^(payment_(instrument|method|paid|risk|compliance)|card_updated|dispute_received)/;

type Told = WebhookNotice | LookUpNotice;

/** Asks for a look-up of the payment, because the event alone does not tell what became of the authorisation. */
const lookUp = (reference: string): readonly Told[] => [{ kind: 'look_up', reference }];

/** Reads the notices of an event. Null if its data is not readable. */
function noticesOf(event: Event): readonly Told[] | null | 'unknown_kind' {
  const telling = { eventKey: event.id, occurredAt: timeOf(event.timestamp ?? event.created_on) };
  if (event.type.startsWith('dispute_')) return disputeNotices(telling, event);
  const { [event.type]: status } = STATUSES;
  const { [event.type]: change } = CHANGES;
  if (status === undefined && change === undefined) return 'unknown_kind';
  const data = paymentData.safeParse(event.data).data;
  if (!data || isOdd(data)) return null;
  if (change !== undefined) return changed(telling, data, change);
  if (isOpenEnded(data, status) && paymentNamedIn(data)) return lookUp(data.id);
  // Without a code, no issuer was asked.
  const isOfBuyer = event.type === 'payment_authentication_failed' && data['3ds'] == null;
  const notices = paymentNotices(telling, {
    ...{ ...data, status: status ?? '' },
    ...(isOfBuyer && { '3ds': { enrolled: null } }),
  });
  return notices.length === 0 && paymentNamedIn(data) ? null : notices;
}

/**
 * Reads a change. The capture of a sale is the success of the sale. The refusal of that capture, and any void of a sale, need a
 * look-up: the money may still be held.
 */
function changed(
  telling: Telling,
  data: PaymentData,
  { type, approved }: ToldChange,
): readonly Told[] | null {
  const { id, action_id: actionId, amount, currency } = data;
  const payment: Payment = { ...data, status: 'Captured', balances: null };
  // A pending change may have the code of its receipt.
  const code = approved === null ? null : data.response_code;
  const action = { ...data, id: actionId ?? '', type, approved, response_code: code, amount: amount ?? 0 };
  if (isOfPayment({ payment: data, action })) {
    if (approved === null) return [];
    return type === 'Capture' && approved ? paymentNotices(telling, payment) : lookUp(id);
  }
  // Without an id and an amount, nobody can tell the change from another one.
  const isTold = approved !== true || type === 'Void' || (amount != null && currency != null);
  return isTold && actionId != null ? changeNotices(telling, { payment: data, action }) : null;
}
