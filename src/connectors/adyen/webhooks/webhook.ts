import {
  ok,
  refuse,
  timeOf,
  type DeclineCode,
  type Money,
  type Result,
  type Known,
  type Verb,
  type Notice,
  type NoticeOutcome,
  type PartReceiver,
  type UnreadReason,
  type WebhookNotice,
  type Webhooks,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { isDisputeEvent, readDisputeEvent } from './dispute-webhook.ts';
import { isOfNoConcern, isTold } from './kinds.ts';
import { itemsOf, namesOf, readItem, type AdyenEvent } from './notification.ts';
import { adjustmentReasonOf, declineOf, modificationReasonOf, schemeCodesOf } from './notice-reasons.ts';
import { tokenOf } from '../stored-token.ts';
import { isTokenWebhook, readTokenWebhook } from './token-webhook.ts';
import { verifyAdyenWebhook } from './verify.ts';
import { isOfLeave, keyOf, RELEASE } from '../references.ts';

/** The reader of Adyen's webhooks. Each item of a body is a part of its own. */
export const adyenWebhooks: Webhooks = { verify: verifyAdyenWebhook, read: readAdyenPart };

/**
 * Reads an item of a webhook, or a webhook about a token.
 *
 * - An event of another merchant account gives no notice. One endpoint of a company may get the events of all accounts.
 * - An event that concerns no operation and no dispute gives no notice.
 * - An event of a new kind is refused if it names an operation of ours.
 */
function readAdyenPart(
  part: string,
  { credentials }: PartReceiver,
): Result<readonly WebhookNotice[], UnreadReason> {
  if (isTokenWebhook(part)) return readTokenWebhook(part, { credentials });
  const [item] = itemsOf(part) ?? [];
  const { eventCode, merchantAccountCode } = namesOf(item);
  const isOfAnother = merchantAccountCode !== null && merchantAccountCode !== credentials['merchant_account'];
  if (isOfAnother || (eventCode !== null && isOfNoConcern(eventCode))) return ok([]);
  const event = readItem(item);
  if (!event) return refuse('unreadable_item');
  if (merchantAccountCode === null) return ok([]);
  if (!isTold(event.eventCode)) return keyOf(event.merchantReference) ? refuse('unknown_kind') : ok([]);
  const notices = noticesOf(event);
  return notices ? ok(notices) : refuse('unreadable_item');
}

/** Returns the notices of an event. Null for an event whose money we cannot express, and that tells only of money. */
function noticesOf(event: AdyenEvent): readonly WebhookNotice[] | null {
  if (isDisputeEvent(event)) return disputesOf(event);
  if (keyOf(event.merchantReference)?.verb === RELEASE) return [releaseNoticeOf(event)];
  const told = isOfLeave(event.merchantReference) ? null : tellingOf(event);
  if (told === 'unreadable') return null;
  if (!told) return [];
  const found = namesOfOperation(event, told.verb);
  return found
    ? [{ eventKey: eventKeyOf(event), occurredAt: timeOf(event.eventDate), ...told, ...found }]
    : [];
}

function disputesOf(event: AdyenEvent): readonly WebhookNotice[] | null {
  const notice = readDisputeEvent(event);
  if (notice === 'unreadable') return null;
  return notice ? [notice] : [];
}

/** Adyen has no id of an event. The same event may come twice, and a later success of the same payment is another event. */
const eventKeyOf = ({ eventCode, pspReference, success }: AdyenEvent): string =>
  `${eventCode}:${pspReference}:${success}`;

/**
 * Tells of the release after a final capture.
 *
 * - A success is the end of the authorisation, as an expiry is. The core waits for the captures under way, and changes nothing
 *   after a final capture that succeeded.
 * - A failure decides nothing. The core records the event with the payment.
 */
function releaseNoticeOf(event: AdyenEvent): WebhookNotice {
  const { success, pspReference, originalReference: paymentReference, eventDate } = event;
  const about = { eventKey: eventKeyOf(event), occurredAt: timeOf(eventDate), key: null, paymentReference };
  return success
    ? { ...about, verb: 'authorize', reference: null, outcome: { kind: 'expired', ...wordsOf(event) } }
    : {
        ...{ ...about, verb: 'void', reference: pspReference },
        outcome: { kind: 'accepted', ...wordsOf(event) },
      };
}

type Telling = Pick<Notice, 'verb' | 'outcome' | 'total' | 'whole'>;

/** Reads what an event tells about an operation. Null for an event that tells nothing. */
function tellingOf(event: AdyenEvent): Telling | null | 'unreadable' {
  const { success } = event;
  switch (event.eventCode) {
    case 'AUTHORISATION':
      return { verb: 'authorize', outcome: success ? authorised(event) : refused(event, declineOf(event)) };
    case 'PENDING':
      return { verb: 'authorize', outcome: { kind: 'accepted', ...wordsOf(event) } };
    case 'OFFER_CLOSED':
      return closed(event);
    case 'EXPIRE':
      return success ? { verb: 'authorize', outcome: { kind: 'expired', ...wordsOf(event) } } : null;
    case 'RECURRING_CONTRACT':
      return stored(event);
    case 'AUTHORISATION_ADJUSTMENT':
      return adjusted(event);
    case 'CAPTURE':
      return { verb: 'capture', outcome: decided(event) };
    case 'CAPTURE_FAILED':
      return success ? { verb: 'capture', outcome: reversed(event) } : null;
    case 'REFUND':
    case 'REFUND_WITH_DATA':
      return { verb: 'refund', outcome: decided(event) };
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return success ? { verb: 'refund', outcome: reversed(event) } : null;
    case 'CANCELLATION':
    case 'TECHNICAL_CANCEL':
    case 'CANCEL_OR_REFUND':
      return { verb: releaseOf(event), outcome: decided(event), ...wholeOf(event) };
    default:
      return null;
  }
}

/**
 * Returns the amount of the payment for a refund by CANCEL_OR_REFUND. Adyen reverses the full amount of the payment, and the event
 * names that amount.
 */
function wholeOf(event: AdyenEvent): Pick<Notice, 'whole'> {
  const money = releaseOf(event) === 'refund' ? moneyOf(event) : null;
  return money === null || money === 'unreadable' ? {} : { whole: money };
}

/** Tells a cancel from a void by our reference, or else by the event. */
function releaseOf({ eventCode, merchantReference, data }: AdyenEvent): Verb {
  const asked = keyOf(merchantReference)?.verb ?? null;
  if (asked !== null && asked !== RELEASE) return asked;
  if (eventCode === 'TECHNICAL_CANCEL') return 'cancel';
  return data['modification.action'] === 'refund' ? 'refund' : 'void';
}

const wordsOf = ({ eventCode, reason }: AdyenEvent) => ({
  rawResponseCode: eventCode,
  rawResponseDescription: reason || null,
});

/** Returns the money of an event, or null for the requested amount. `unreadable` for an amount that we cannot express. */
function moneyOf({ amount }: AdyenEvent): Money | null | 'unreadable' {
  return amount ? (moneyFromWire(amount) ?? 'unreadable') : null;
}

function authorised(event: AdyenEvent): NoticeOutcome {
  const scheme = event.data['networkTxReference'];
  const token = tokenOf(event.data, null);
  return succeeded(event, moneyOf(event), {
    ...(scheme !== undefined && { schemeTransactionId: scheme }),
    ...(token !== null && { recurringToken: token }),
  });
}

/** A success with an amount that we cannot express decides nothing. A person must compare the books. */
const succeeded = (event: AdyenEvent, money: ReturnType<typeof moneyOf>, known: Known = {}): NoticeOutcome =>
  money === 'unreadable'
    ? { kind: 'accepted', ...wordsOf(event) }
    : { kind: 'succeeded', money, ...wordsOf(event), ...known };

/** A repeat under the same key is the same payment or change at Adyen, and gets its first answer. Nothing else can be asked. */
const refused = (
  event: AdyenEvent,
  refusal: { readonly kind: 'declined' | 'failed'; readonly errorCode: DeclineCode },
): NoticeOutcome => ({ ...refusal, ...wordsOf(event), ...schemeCodesOf(event), holdsForRepeats: true });

/** The amount of a cancel is the payment's, so only captures and refunds compare theirs. */
const decided = (event: AdyenEvent): NoticeOutcome =>
  event.success
    ? succeeded(event, COMPARED.has(event.eventCode) ? moneyOf(event) : null)
    : refused(event, modificationReasonOf(event));

/**
 * A change of the authorised amount, which is the new total. A person may change the amount in the Customer Area too, so the
 * total is compared. A total that we cannot express is unreadable.
 */
function adjusted(event: AdyenEvent): Telling | null | 'unreadable' {
  const total = moneyOf(event);
  if (total === 'unreadable' || total === null) return total;
  const outcome = event.success ? succeeded(event, null) : refused(event, adjustmentReasonOf(event));
  return { verb: 'increase', total, outcome };
}

const COMPARED: ReadonlySet<string> = new Set(['CAPTURE', 'REFUND', 'REFUND_WITH_DATA']);

function reversed(event: AdyenEvent): NoticeOutcome {
  const money = moneyOf(event);
  return {
    ...{ kind: 'reversed', money: money === 'unreadable' ? null : money, errorCode: 'service_decline' },
    ...{ reversalReference: event.pspReference, ...wordsOf(event) },
  };
}

/** The buyer's time is over. */
const closed = (event: AdyenEvent): Telling | null =>
  event.success
    ? {
        verb: 'authorize',
        outcome: refused(event, { kind: 'failed', errorCode: 'incomplete_buyer_approval' }),
      }
    : null;

/** A token of a payment that asked to store its method. Adyen's id of the event is the id of the stored method. */
function stored(event: AdyenEvent): Telling | null {
  const token = tokenOf({ ...event.data, 'recurring.recurringDetailReference': event.pspReference }, null);
  return event.success && token !== null
    ? { verb: 'authorize', outcome: { kind: 'token_created', recurringToken: token, ...wordsOf(event) } }
    : null;
}

type Names = Pick<Notice, 'key' | 'reference' | 'paymentReference' | 'authorizationKey'>;

/**
 * Returns the names of the operation. Null for a payment of another system.
 *
 * An event of a change carries the change's own reference, or that of the authorisation. With the latter, Adyen's id of the
 * change names the operation. A change that a person made in the Customer Area has a third reference, or none.
 */
function namesOfOperation(event: AdyenEvent, verb: Verb): Names | null {
  const { pspReference, originalReference } = event;
  const ours = keyOf(event.merchantReference);
  if (verb === 'authorize') return ours && ours.verb === null ? ofPayment(event, ours.key) : null;
  const names = { key: null, reference: pspReference, paymentReference: originalReference };
  if (!ours) return originalReference === null ? null : names;
  if (ours.verb !== null) return { ...names, key: ours.key };
  return verb === 'void' || verb === 'cancel' ? { ...names, authorizationKey: ours.key } : names;
}

/** The names of a payment. Its end may come under an id that is not the payment's, and a token's id is the token. */
function ofPayment({ eventCode, pspReference, originalReference }: AdyenEvent, key: string): Names {
  const psp = ID_OF_PAYMENT.has(eventCode) ? pspReference : originalReference;
  return { key, reference: psp, paymentReference: psp };
}

const ID_OF_PAYMENT: ReadonlySet<string> = new Set(['AUTHORISATION', 'PENDING']);
