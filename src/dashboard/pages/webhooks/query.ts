import type { Answer } from '../../../client/operations/selection.ts';
import type {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookEndpoint,
} from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

/** The fields of an endpoint. */
export const ENDPOINT = {
  ...{ id: true, url: true, description: true, eventNames: true, headerNames: true, bodyFormat: true },
  ...{ basicAuthenticationUsername: true, autoDisable: true, state: true, stateReason: true },
  ...{ failingSince: true, pausedUntil: true, disabledAt: true, createdAt: true },
} as const;

/** A webhook endpoint. */
export type Endpoint = Answer<WebhookEndpoint, typeof ENDPOINT>;

/** Reads a page of the endpoints, newest first. */
export async function readEndpoints(after: string | null, signal: AbortSignal): Promise<Rows<Endpoint>> {
  const { webhookEndpoints } = await api.query(
    {
      webhookEndpoints: [
        { first: 50, after },
        { nodes: ENDPOINT, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(webhookEndpoints);
}

/** Reads all kinds of events. */
export async function readEventTypes(signal: AbortSignal) {
  return (await api.query({ eventTypes: { name: true, description: true } }, { signal })).eventTypes;
}

/** A new endpoint. The API tells the secret only now. */
export type Created = { readonly id: string; readonly secret: string | null };

/** Creates an endpoint. */
export async function createEndpoint(
  input: CreateWebhookEndpointInput,
  idempotencyKey: string,
): Promise<Created> {
  const { createWebhookEndpoint: created } = await api.mutate({
    createWebhookEndpoint: [
      { input, idempotencyKey },
      { webhookEndpointId: true, secret: true },
    ],
  });
  return { id: created.webhookEndpointId ?? '', secret: created.secret };
}

/** Changes, stops or starts an endpoint. */
export async function updateEndpoint(id: string, input: UpdateWebhookEndpointInput): Promise<void> {
  await api.mutate({ updateWebhookEndpoint: [{ id, input }, { webhookEndpoint: { id: true } }] });
}
