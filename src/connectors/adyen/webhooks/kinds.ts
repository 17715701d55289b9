import { isDisputeEvent } from './dispute-webhook.ts';
import type { ItemNames } from './notification.ts';

/** The events that tell about an operation. */
const TOLD: ReadonlySet<string> = new Set([
  ...['AUTHORISATION', 'PENDING', 'OFFER_CLOSED', 'EXPIRE', 'RECURRING_CONTRACT'],
  ...['AUTHORISATION_ADJUSTMENT', 'CAPTURE', 'CAPTURE_FAILED', 'REFUND', 'REFUND_WITH_DATA'],
  ...['REFUND_FAILED', 'REFUNDED_REVERSED', 'CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'],
]);

/** The events that change no operation: other products of Adyen, comments, and steps that another event decides. */
const OF_NO_CONCERN: ReadonlySet<string> = new Set([
  ...['REPORT_AVAILABLE', 'NOTIFICATIONTEST', 'AUTHENTICATION', 'ISSUER_COMMENTS', 'HANDLED_EXTERNALLY'],
  ...['MANUAL_REVIEW_ACCEPT', 'MANUAL_REVIEW_REJECT', 'ORDER_OPENED', 'ORDER_CLOSED', 'PROCESS_RETRY'],
  ...['AUTORESCUE', 'AUTORESCUE_NEXT_ATTEMPT', 'CANCEL_AUTORESCUE', 'DONATION', 'DISABLE_RECURRING'],
  ...['PAYOUT_THIRDPARTY', 'PAYOUT_DECLINE', 'PAYOUT_EXPIRE', 'PAIDOUT_REVERSED'],
]);

/** True for an event of a known kind that is about an operation or a dispute. */
export const isTold = (eventCode: string): boolean => TOLD.has(eventCode) || isDisputeEvent({ eventCode });

/** True for an event of a known kind that changes no operation. */
export const isOfNoConcern = (eventCode: string): boolean => OF_NO_CONCERN.has(eventCode);

/** True for an item that may be about a payment or a dispute. An item without an event may be about anything. */
export const mayConcern = ({ eventCode }: Pick<ItemNames, 'eventCode'>): boolean =>
  eventCode === null || isTold(eventCode);
