import { cloudEvent, eventBody, type OutgoingEvent } from '../../event-log/index.ts';
import type { WebhookBodyFormat } from '../endpoints/webhook-endpoint.ts';

/** The text of a request with its media type. */
export type WebhookBody = { readonly body: string; readonly contentType: string };

/** Returns the body of an event in the endpoint's format. It is the same at every attempt. */
export const webhookBody = (event: OutgoingEvent, format: WebhookBodyFormat): WebhookBody =>
  format === 'cloud_events'
    ? { body: cloudEvent(event), contentType: 'application/cloudevents+json; charset=utf-8' }
    : { body: eventBody(event), contentType: 'application/json' };
