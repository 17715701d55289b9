import type { UpdateWebhookEndpointInput, WebhookEndpoint } from '../../../../client/generated/schema.ts';
import type { Answer } from '../../../../client/operations/selection.ts';
import { api } from '../../../app/data/api.ts';
import { pageOf, rowsOf, type Ask } from '../../../app/data/pages.ts';

const ENDPOINT = {
  ...{ id: true, url: true, description: true, eventNames: true, headerNames: true, bodyFormat: true },
  ...{ basicAuthenticationUsername: true, autoDisable: true, state: true, stateReason: true },
  ...{ failingSince: true, pausedUntil: true, disabledAt: true, createdAt: true },
} as const;

/** A webhook endpoint. */
export type Endpoint = Answer<WebhookEndpoint, typeof ENDPOINT>;

/** Reads a page of the endpoints, newest first. */
export async function readEndpoints({ after, signal }: Ask) {
  const { webhookEndpoints } = await api.query(
    { webhookEndpoints: [{ first: 50, after }, pageOf(ENDPOINT)] },
    { signal },
  );
  return rowsOf(webhookEndpoints);
}

/** Reads an endpoint. Null without such an endpoint. */
export const readEndpoint = async (id: string, signal: AbortSignal) =>
  (await api.query({ webhookEndpoint: [{ id }, ENDPOINT] }, { signal })).webhookEndpoint;

/** Changes, stops or starts an endpoint. */
export const updateEndpoint = (id: string, input: UpdateWebhookEndpointInput) =>
  api.mutate({ updateWebhookEndpoint: [{ id, input }, { webhookEndpoint: { id: true } }] });
