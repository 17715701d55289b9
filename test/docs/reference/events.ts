import { EVENT_NAMES, type EventName } from '../../../src/modules/event-log/event-names.ts';
import { code, table, WRITTEN } from './table.ts';

/** The meaning of each event. The compiler asks for a line for each name. */
const MEANINGS: Readonly<Record<EventName, string>> = {
  'anti-fraud-service.created': 'An anti-fraud service was created.',
  'anti-fraud-service.updated': 'An anti-fraud service was changed.',
  'anti-fraud-service.deleted': 'An anti-fraud service was deleted.',
  'api-key-pair.created': 'An API key pair was created.',
  'api-key-pair.updated': 'An API key pair was changed.',
  'buyer.created': 'A buyer was created.',
  'buyer.updated': 'A buyer was changed.',
  'buyer.deleted': 'A buyer was deleted.',
  'capture.pending': 'The provider accepted a capture and decides later.',
  'capture.succeeded': 'The provider confirmed a capture.',
  'capture.declined': 'The provider or the issuer declined a capture.',
  'capture.failed': 'A capture failed without effect.',
  'gift-card.created': 'A gift card was stored.',
  'gift-card.updated': 'A stored gift card was changed.',
  'gift-card.deleted': 'A stored gift card was deleted.',
  'payment-link.created': 'A payment link was created.',
  'payment-link.updated': 'A payment link changed its status.',
  'payment-method.created': 'A payment method was stored.',
  'payment-method.updated': 'A stored payment method was changed.',
  'payment-method.deleted': 'A stored payment method was deleted.',
  'payment-method.paused': 'The buyer or the bank paused a payment method.',
  'payment-method.resumed': 'A paused payment method works again.',
  'recurring.token.created': 'A provider issued a token for a stored payment method.',
  'refund.pending': 'The provider accepted a refund and decides later.',
  'refund.succeeded': 'The provider confirmed a refund.',
  'refund.declined': 'The provider or the issuer declined a refund.',
  'refund.failed': 'A refund failed without effect.',
  'shipping-details.created': 'Shipping details were created.',
  'shipping-details.updated': 'Shipping details were changed.',
  'shipping-details.deleted': 'Shipping details were deleted.',
  'three-ds-scenario.created': 'A 3-D Secure rule of the sandbox was created.',
  'three-ds-scenario.updated': 'A 3-D Secure rule of the sandbox was changed.',
  'three-ds-scenario.deleted': 'A 3-D Secure rule of the sandbox was deleted.',
  'transaction.anti-fraud-decided': 'The anti-fraud service judged a payment.',
  'transaction.authentication-pending': 'A payment waits for a 3-D Secure challenge.',
  'transaction.authenticated': 'The 3-D Secure authentication of a payment ended.',
  'transaction.authorized': 'A payment was authorised.',
  'transaction.declined': 'A payment was declined.',
  'transaction.failed': 'A payment failed.',
  'transaction.capture-pending': 'A capture of the payment is pending.',
  'transaction.captured': 'A payment was captured, wholly or in part.',
  'transaction.capture-failed': 'A capture of the payment was declined or failed.',
  'transaction.void-pending': 'A void of the payment is pending.',
  'transaction.voided': 'A payment was voided.',
  'transaction.void-declined': 'A void was declined.',
  'transaction.void-failed': 'A void failed without effect.',
  'transaction.review-accepted': 'The review of a payment accepted it.',
  'transaction.review-rejected': 'The review of a payment rejected it.',
  'webhook-endpoint.failing': 'An endpoint fails, and its deliveries wait.',
  'webhook-endpoint.recovered': 'An endpoint answers again.',
  'webhook-endpoint.disabled': 'An endpoint was disabled after it had failed for too long.',
};

/** Writes the page of event names. */
export const eventsPage = (): string => `${WRITTEN}

# Events

A consumer selects events by name, or by a pattern such as \`transaction.*\`. A later version can add names. [The
concept](../concepts/events.md) explains the feed, its order and its cursors.

${table(
  ['name', 'meaning'],
  EVENT_NAMES.map((name) => [code(name), MEANINGS[name]]),
)}
`;
