import { randomBytes } from 'node:crypto';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import { TEST_ACCOUNT, TEST_HMAC_KEY, type AdyenDouble } from '../connectors/adyen/double.ts';
import { signNotification, type AdyenNotification } from '../connectors/adyen/notifications.ts';
import { startAdyen } from '../connectors/adyen/start.ts';
import { postWebhooks } from '../connectors/double-server.ts';
import { connect, type Service } from '../connectors/kit/service.ts';
import type { StripeDouble } from '../connectors/stripe/double.ts';
import { startStripe } from '../connectors/stripe/start.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { startHarness, type Harness } from './harness.ts';

/** The item of a notification in any form, with the fields that its signature covers. */
export type Item = AdyenNotification['item'];

export type Unread = {
  readonly id: string;
  readonly reason: string;
  readonly times: number;
  readonly [field: string]: unknown;
};

export type Applied = {
  readonly applied: number;
  readonly known: number;
  readonly unreadWebhook: Unread | null;
  readonly userErrors: readonly { readonly code: string; readonly message: string }[];
};

/** A service with the doubles of Adyen and Stripe, and a second process with newer connectors. */
export type UnreadHarness = {
  readonly harness: Harness;
  readonly database: TestDatabase;
  readonly masterKey: string;
  readonly double: { readonly adyen: AdyenDouble; readonly stripe: StripeDouble };
  readonly service: { readonly adyen: Service; readonly stripe: Service };
  /** Pays 12.99 EUR by a card at one of the services, and takes the owed webhooks. Returns our id, and the provider's. */
  pay(at: 'adyen' | 'stripe'): Promise<{ readonly id: string; readonly payment: string }>;
  /** Posts a body with these items to Adyen's address. Returns the status. */
  post(...items: readonly object[]): Promise<number>;
  /** Starts a process on the same database whose connectors are newer. */
  upgrade(learn: (connector: Connector) => Connector): Promise<TestServer>;
  stop(): Promise<void>;
};

const CARD = { number: '4111 1111 1111 1111', expirationDate: '03/30', securityCode: '737' };

export async function startUnreadHarness(): Promise<UnreadHarness> {
  const clock = createShiftedClock();
  const now = () => clock.now();
  const [adyen, stripe] = await Promise.all([
    startAdyen({ now, multipleCaptures: true }),
    startStripe({ now }),
  ]);
  const double = { adyen: adyen.double, stripe: stripe.double };
  const own = [adyen.connector, stripe.connector];
  const masterKey = randomBytes(32).toString('base64');
  const settings = { PAYGRAPH_METRICS: 'true', PAYGRAPH_MASTER_KEY: masterKey };
  const database = await createTestDatabase();
  const connectors = [...sandboxConnectors, ...own];
  const harness = await startHarness('mock-card', { clock, connectors, settings, database });
  const service = {
    adyen: await connect(harness, 'adyen-card', { ...adyen.fields, multiple_captures: 'true' }),
    stripe: await connect(harness, 'stripe-card', stripe.fields),
  };
  const servers: TestServer[] = [];
  return {
    ...{ harness, database, masterKey, double, service },
    pay: async (at) => {
      const { transaction } = await harness.create({
        ...{ amount: 1299, currency: 'EUR', country: 'DE', intent: 'CAPTURE' },
        ...{ paymentMethod: { card: CARD }, paymentServiceId: service[at].id },
      });
      double[at].webhooks();
      return { id: transaction?.id ?? '', payment: String(transaction?.['paymentServiceTransactionId']) };
    },
    post: async (...items) => {
      const body = JSON.stringify({
        live: 'false',
        notificationItems: items.map((NotificationRequestItem) => ({ NotificationRequestItem })),
      });
      const [status = 0] = await postWebhooks(service.adyen.webhookUrl, [{ headers: {}, body }]);
      await harness.server.http.webhooksApplied();
      return status;
    },
    upgrade: async (learn) => {
      const kept = { ...database, drop: () => Promise.resolve() };
      const newer = [...sandboxConnectors, ...own.map(learn)];
      const server = await startTestServer({ clock, settings, database: kept, connectors: newer });
      servers.push(server);
      return server;
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await harness.stop();
      await Promise.all([adyen.close(), stripe.close()]);
    },
  };
}

/** Signs an item of Adyen in any form. */
export function signed(item: object): object {
  const { body } = signNotification(item as Item, { hmacKey: TEST_HMAC_KEY, basicAuth: null });
  const { notificationItems } = JSON.parse(body) as {
    notificationItems: readonly { NotificationRequestItem: object }[];
  };
  return notificationItems[0]?.NotificationRequestItem ?? {};
}

/** A refund of 4.00 EUR in Adyen's pages. */
export const refundOf = (id: string, payment: string, changes: object = {}): object => ({
  ...{ eventCode: 'REFUND', success: 'true', reason: '', eventDate: '2026-11-28T10:00:00+01:00' },
  ...{ pspReference: `REFUND${payment.slice(0, 10)}`, originalReference: payment, merchantReference: id },
  ...{ merchantAccountCode: TEST_ACCOUNT.merchantAccount, paymentMethod: 'visa' },
  amount: { value: 400, currency: 'EUR' },
  ...changes,
});

const FIELDS_OF_UNREAD = 'id provider reason times receivedAt appliedAt expiresAt paymentService { id }';

/** The requests about unread webhooks at a server, with a token of any merchant account. */
export const unreadAt = (server: TestServer, token?: string) => {
  const ask = async <Data>(document: string, variables = {}): Promise<Data> => {
    // Time passes in these tests, and a token lives for an hour.
    const valid = { token: token ?? (await server.mint()) };
    const { body } = await server.graphql<Data>(document, variables, valid);
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  return {
    ask,
    list: async (filter: object | null = null): Promise<readonly Unread[]> =>
      (
        await ask<{ unreadWebhooks: { nodes: readonly Unread[] } }>(
          `query ($filter: UnreadWebhookFilter) {
            unreadWebhooks(filter: $filter, first: 100) { nodes { ${FIELDS_OF_UNREAD} } } }`,
          { filter },
        )
      ).unreadWebhooks.nodes,
    apply: async (id: string): Promise<Applied> =>
      (
        await ask<{ done: Applied }>(
          `mutation ($id: ID!) { done: applyUnreadWebhook(id: $id) {
            applied known unreadWebhook { ${FIELDS_OF_UNREAD} } userErrors { code message path } } }`,
          { id },
        )
      ).done,
    /** Reads a metric of the process by its labels. 0 if the process has not counted yet. */
    counted: async (provider: string, reason: string): Promise<number> => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const line = `paygraph_webhooks_unread_total{provider="${provider}",reason="${reason}"} `;
      return Number(
        text
          .split('\n')
          .find((each) => each.startsWith(line))
          ?.slice(line.length) ?? 0,
      );
    },
  };
};
