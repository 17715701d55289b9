import type { App } from '../../src/app.ts';
import { findByToken, payLink, type PaymentLink } from '../../src/modules/payment-links/index.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { createService } from '../transactions/harness.ts';
import { relayAll } from '../support/relay-all.ts';

/** A server with a fake provider, and helpers for setting up tests. */
export type LinksHarness = {
  readonly server: TestServer;
  readonly provider: FakeProvider;
  readonly clock: ShiftedClock;
  ask<Data>(document: string, variables?: Readonly<Record<string, unknown>>, token?: string): Promise<Data>;
  create(input?: object, key?: string, token?: string): Promise<Created>;
  /** Creates and returns a link. */
  made(input?: object, token?: string): Promise<Link>;
  read(id: string, token?: string): Promise<Link | null>;
  expire(id: string, token?: string): Promise<Created>;
  /** Reads the link as its page does. */
  found(link: Link): Promise<PaymentLink>;
  /** Pays a link as its page does. */
  pay(link: Link, change?: object): ReturnType<typeof payLink>;
  rows<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>;
  /** Lists the published events of a link, oldest first: name and status. */
  notified(id: string): Promise<readonly string[]>;
  stop(): Promise<void>;
};

export type Link = {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly transactions: readonly { readonly id: string; readonly status: string }[];
  readonly [field: string]: unknown;
};

export type Created = {
  readonly paymentLink: Link | null;
  readonly userErrors: readonly {
    readonly __typename: string;
    readonly code: string;
    readonly path: readonly string[];
    readonly message: string;
    readonly status?: string;
  }[];
  readonly replayed?: boolean;
};

const ADDRESS = 'city country postalCode state stateCode houseNumberOrName line1 line2 organization';
const CONTACT = `firstName lastName emailAddress phoneNumber address { ${ADDRESS} }`;

/** Every field of a link. */
export const LINK = `{ id merchantAccountId url status amount currency country intent paymentSource store buyerId
  buyer { id displayName externalIdentifier accountNumber billingDetails { ${CONTACT} taxId { value kind } } }
  shippingDetails { id buyerId ${CONTACT} } cartItems { name quantity unitAmount amount { currency value } }
  statementDescriptor { name description city country phoneNumber url postalCode } metadata connectionOptions
  installmentCount externalIdentifier locale merchantName merchantUrl merchantBannerUrl merchantColor merchantMessage
  merchantTermsAndConditionsUrl merchantFaviconUrl returnUrl offersReceipt routingVersionId receiptRequestedAt expiresAt createdAt updatedAt
  transactions { id status paymentLinkId paymentLink { id } } }`;

const ERRORS = 'userErrors { __typename code path message ... on PaymentLinkNotActive { status } }';

/** The required fields of a link. */
export const PLAIN = { amount: 1299, currency: 'USD', country: 'US' };

/** A sandbox card that the provider approves. */
export const CARD = { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '100' };

/** Starts the server. `settings` has the names of environment variables. `http` is the client of the service. */
export async function startLinks(
  definitionId = 'mock-card',
  settings: Readonly<Record<string, string>> = {},
  overrides: Pick<Partial<App>, 'http'> = {},
): Promise<LinksHarness> {
  const clock = createShiftedClock();
  const server = await startTestServer({
    clock,
    ...overrides,
    settings: { DATABASE_POOL: '16', PAYGRAPH_PROVIDER_DEADLINE_MS: '2000', ...settings },
  });
  const { app } = server;
  const provider = await startFakeProvider();
  await createService(server, provider.url, { definitionId });
  const ask: LinksHarness['ask'] = async <Data>(document: string, variables = {}, token?: string) => {
    const { body } = await server.graphql<{ answer: Data }>(document, variables, token ? { token } : {});
    if (!body.data || body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  const create: LinksHarness['create'] = (input = {}, key, token) =>
    ask(
      `mutation ($input: CreatePaymentLinkInput!, $key: String) {
        answer: createPaymentLink(input: $input, idempotencyKey: $key) { paymentLink ${LINK} ${ERRORS} replayed } }`,
      { input: { ...PLAIN, ...input }, key },
      token,
    );
  const rows: LinksHarness['rows'] = <Row>(text: string, ...values: readonly unknown[]) =>
    app.db.prisma.$queryRawUnsafe<Row[]>(text, ...values);
  const found: LinksHarness['found'] = async ({ url }) => {
    const link = await findByToken(app, url.split('/').at(-1) ?? '');
    if (!link) throw new Error('There is no such link');
    return link;
  };
  return {
    ...{ server, provider, clock, ask, create, rows, found },
    made: async (input, token) => {
      const { paymentLink, userErrors } = await create(input, undefined, token);
      if (!paymentLink) throw new Error(JSON.stringify(userErrors));
      return paymentLink;
    },
    read: (id, token) => ask(`query ($id: ID!) { answer: paymentLink(id: $id) ${LINK} }`, { id }, token),
    expire: (id, token) =>
      ask(
        `mutation ($id: ID!) { answer: expirePaymentLink(id: $id) { paymentLink ${LINK} ${ERRORS} } }`,
        { id },
        token,
      ),
    pay: async (link, change = {}) =>
      payLink(app, await found(link), { paymentMethod: { card: { ...CARD, ...change } } }),
    notified: async (id) => {
      await relayAll(app);
      const events = await rows<{ name: string; payload: string }>(
        'SELECT name, payload FROM event WHERE target_id = $1 ORDER BY position',
        id,
      );
      return events.map(({ name, payload }) => {
        const { target } = JSON.parse(payload) as { target: { status: string } };
        return `${name} ${target.status}`;
      });
    },
    stop: async () => {
      await provider.close();
      await server.stop();
    },
  };
}

/** Reads every row of the database about a link as text. */
export async function everythingOf(harness: LinksHarness, ...tables: readonly string[]): Promise<string> {
  const all = await Promise.all(
    tables.map((table) => harness.rows<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${table}" t`)),
  );
  return all.flatMap((found) => found.map(({ row }) => row)).join('\n');
}
