export { PaygraphError } from './error.ts';
export type { FeedEvent } from './event.ts';
export { createClient, type PaygraphClient } from './operations/client.ts';
export type { ClientOptions, RequestOptions } from './operations/options.ts';
export {
  AuthenticationError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  RefusedError,
  RequestError,
  UnavailableError,
  type Refusal,
  type ServiceError,
} from './operations/errors.ts';
export type { Answer, Selection } from './operations/selection.ts';
export type * as schema from './generated/schema.ts';
export type { EventTargets } from './generated/payloads.ts';
export type { ConnectionStatus, SubscribeOptions } from './options.ts';
export {
  parsePayload,
  type PaygraphEvent,
  type PaygraphEventName,
  type PayloadOf,
  type TestEvent,
} from './payload.ts';
export { subscribeToEvents } from './subscribe.ts';
export { verifyWebhook, type WebhookEvent, type WebhookRequest } from './verify-webhook.ts';
