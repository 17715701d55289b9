/**
 * The names of events that this version writes. A later one writes more, so that no pattern of a consumer is refused
 * because nothing here matches it; those of a record that this version does not have are written nowhere yet.
 */
export const EVENT_NAMES = [
  'api-key-pair.created',
  'api-key-pair.updated',
  'buyer.created',
  'buyer.updated',
  'buyer.deleted',
  'capture.pending',
  'capture.succeeded',
  'capture.declined',
  'capture.failed',
  'refund.pending',
  'refund.succeeded',
  'refund.declined',
  'refund.failed',
  'shipping-details.created',
  'shipping-details.updated',
  'shipping-details.deleted',
  'transaction.authorized',
  'transaction.declined',
  'transaction.failed',
  'transaction.capture-pending',
  'transaction.captured',
  'transaction.capture-failed',
  'transaction.void-pending',
  'transaction.voided',
  'transaction.void-declined',
  'transaction.void-failed',
  'webhook-endpoint.failing',
  'webhook-endpoint.recovered',
  'webhook-endpoint.disabled',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];
