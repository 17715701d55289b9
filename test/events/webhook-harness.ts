import type { App } from '../../src/app.ts';
import { oldestWaitingEvent, startDispatcher, startRelay } from '../../src/modules/events/index.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { recordNamed, until } from './harness.ts';

export type Refused = {
  readonly code: string;
  readonly path: readonly string[];
  readonly message: string;
};

/** The tested fields in the payloads of webhook endpoint mutations. */
export type WebhookPayload = {
  readonly webhookEndpoint: (Readonly<Record<string, unknown>> & { readonly id: string }) | null;
  readonly secret: string | null;
  readonly replayed: boolean;
  readonly userErrors: readonly Refused[];
};

/** A complete service that sends webhooks, called over HTTP, with an adjustable clock. */
export type WebhookHarness = {
  readonly server: TestServer;
  readonly clock: ShiftedClock;
  /** Creates a merchant account. */
  tenant(): Promise<WebhookTenant>;
  stop(): Promise<void>;
};

export type WebhookTenant = {
  readonly id: string;
  /** Sends a document for this merchant account. Throws when the answer has no data. */
  ask<Data>(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
  /** Runs createWebhookEndpoint, updateWebhookEndpoint or rotateWebhookSecret. */
  run(mutation: string, variables: Readonly<Record<string, unknown>>): Promise<WebhookPayload>;
  /** Creates an endpoint with its secret. Throws when the endpoint is refused. */
  endpoint(
    url: string,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly id: string; readonly secret: string }>;
  /** Commits an event, and waits until each existing endpoint has had an attempt. */
  deliver(name?: string): Promise<void>;
};

/** The fields of an endpoint for the tests of its settings. */
export const ENDPOINT_FIELDS = `id url bodyFormat headerNames basicAuthenticationUsername autoDisable
  state stateReason stateChangedAt failingSince pausedUntil disabledAt`;

const DOCUMENTS: Readonly<Record<string, string>> = {
  createWebhookEndpoint: `mutation ($input: CreateWebhookEndpointInput!, $key: String) {
    payload: createWebhookEndpoint(input: $input, idempotencyKey: $key) {
      webhookEndpoint { ${ENDPOINT_FIELDS} } secret replayed userErrors { code path message } } }`,
  updateWebhookEndpoint: `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
    payload: updateWebhookEndpoint(id: $id, input: $input) {
      webhookEndpoint { ${ENDPOINT_FIELDS} } userErrors { code path message } } }`,
  rotateWebhookSecret: `mutation ($id: ID!, $overlapMinutes: Int! = 1440, $key: String) {
    payload: rotateWebhookSecret(id: $id, overlapMinutes: $overlapMinutes, idempotencyKey: $key) {
      webhookEndpoint { ${ENDPOINT_FIELDS} } secret replayed userErrors { code path message } } }`,
};

export async function startWebhooks(overrides: Partial<App> = {}): Promise<WebhookHarness> {
  const clock = createShiftedClock();
  const server = await startTestServer({ clock, ...overrides });
  const relay = startRelay(server.app);
  const dispatcher = startDispatcher(server.app);
  const deliver = async (merchantAccountId: string, name: string): Promise<void> => {
    const before = await countAttempts(server, merchantAccountId);
    const wanted = await server.app.db.prisma.webhookEndpoint.count({
      where: { merchantAccountId, deletedAt: null, state: { not: 'disabled' } },
    });
    await server.app.db.transaction((tx) => recordNamed(server.app, tx, { merchantAccountId }, name));
    relay.poke();
    await until(async () => (await oldestWaitingEvent(server.app)) === null, 'the relay');
    dispatcher.poke();
    const done = async (): Promise<boolean> =>
      (await countAttempts(server, merchantAccountId)) >= before + wanted;
    await until(done, 'the dispatcher');
  };
  return {
    server,
    clock,
    tenant: async () => openTenant(server, (await server.createMerchantAccount()).id, deliver),
    stop: async () => {
      await Promise.all([relay.stop(), dispatcher.stop()]);
      await server.stop();
    },
  };
}

/** Counts attempts, including retries, because real time passes. */
const countAttempts = (server: TestServer, merchantAccountId: string): Promise<number> =>
  server.app.db.prisma.deliveryAttempt.count({ where: { merchantAccountId } });

function openTenant(
  server: TestServer,
  id: string,
  deliver: (merchantAccountId: string, name: string) => Promise<void>,
): WebhookTenant {
  const ask: WebhookTenant['ask'] = async <Data>(document: string, variables = {}) => {
    // A separate token, which is also valid by the shifted clock.
    const token = await server.mint({ merchantAccountId: id });
    const { body } = await server.graphql<Data>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const run: WebhookTenant['run'] = async (mutation, variables) =>
    (await ask<{ payload: WebhookPayload }>(DOCUMENTS[mutation] ?? '', variables)).payload;
  return {
    ...{ id, ask, run },
    endpoint: async (url, input = {}) => {
      const { webhookEndpoint, secret, userErrors } = await run('createWebhookEndpoint', {
        input: { url, ...input },
      });
      if (!webhookEndpoint || !secret) throw new Error(JSON.stringify(userErrors));
      return { id: webhookEndpoint.id, secret };
    },
    deliver: (name = 'test.a') => deliver(id, name),
  };
}
