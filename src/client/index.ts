export { PaygraphError } from './error.ts';
export type { FeedEvent } from './event.ts';
export type { ConnectionStatus, SubscribeOptions } from './options.ts';
export { subscribeToEvents } from './subscribe.ts';
export { verifyWebhook, type WebhookEvent, type WebhookRequest } from './verify-webhook.ts';
