import { documented } from '../events/payload-faults.ts';
import { startFakeGiftCards, type FakeGiftCards } from '../support/fake-gift-cards.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { relayAll } from '../support/relay-all.ts';

export type Variables = Readonly<Record<string, unknown>>;

export type GiftCard = {
  readonly id: string;
  readonly balance: number;
  readonly updatedAt: string;
  readonly [field: string]: unknown;
};
export type UserError = {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly resourceId?: string;
  readonly giftCardErrorCode?: string;
};
export type Stored = {
  readonly giftCard: GiftCard | null;
  readonly userErrors: readonly UserError[];
  readonly replayed: boolean;
};

export const GIFT_CARD = `id merchantAccountId paymentService { id displayName method } buyer { id } bin subBin lastFour
  expirationDate currency balance balanceUpdatedAt lastUsedAt usageCount citLastUsedAt citUsageCount createdAt updatedAt`;
export const ERRORS = `userErrors { __typename code message path
  ... on DuplicateRecord { resourceId } ... on GiftCardRefused { giftCardErrorCode } }`;

const EVENTS = `query ($after: String) { answer: events(first: 100, after: $after, types: ["gift-card.*"]) {
  nodes { name payload } pageInfo { hasNextPage endCursor } } }`;
type Page = {
  readonly nodes: readonly { readonly name: string; readonly payload: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** A merchant account with separate gift cards. */
export type Merchant = {
  readonly id: string;
  readonly token: string;
  ask<Data>(document: string, variables?: Variables): Promise<Data>;
  /** Configures a gift-card service at the provider of the harness and returns its id. */
  service(): Promise<string>;
  /** Creates a buyer and returns its id. */
  buyer(externalIdentifier?: string): Promise<string>;
  store(input: Variables, key?: string): Promise<Stored>;
  /** Stores a card. Throws when the card is refused. */
  stored(input: Variables): Promise<GiftCard>;
  read(id: string): Promise<GiftCard | null>;
  /** Lists names and targets of the events about a gift card, in order. */
  events(id: string): Promise<readonly (readonly [string, Variables])[]>;
};

export type GiftCardHarness = {
  readonly server: TestServer;
  readonly provider: FakeGiftCards;
  readonly clock: ShiftedClock;
  merchant(): Promise<Merchant>;
  stop(): Promise<void>;
};

/** Returns an unused number that ends with `end`. */
export const freshNumber = (end = '1'): string => `9${String(++numbers).padStart(14, '0')}${end}`;
let numbers = 0;

export async function startGiftCardHarness(): Promise<GiftCardHarness> {
  const clock = createShiftedClock();
  const provider = await startFakeGiftCards();
  const server = await startTestServer({ clock });
  return {
    ...{ server, provider, clock },
    merchant: async () => openMerchant(server, provider, await server.createMerchantAccount()),
    stop: async () => {
      await provider.close();
      await server.stop();
    },
  };
}

function openMerchant(
  server: TestServer,
  provider: FakeGiftCards,
  { id, token }: { readonly id: string; readonly token: string },
): Merchant {
  const ask: Merchant['ask'] = async <Data>(document: string, variables: Variables = {}) => {
    const { body } = await server.graphql<{ answer: Data }>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  const store: Merchant['store'] = (input, key) =>
    ask<Stored>(
      `mutation ($input: StoreGiftCardInput!, $key: String) {
        answer: storeGiftCard(input: $input, idempotencyKey: $key) { giftCard { ${GIFT_CARD} } ${ERRORS} replayed } }`,
      { input, key },
    );
  return {
    ...{ id, token, ask, store },
    service: async () => {
      const input = {
        displayName: 'Gift cards',
        paymentServiceDefinitionId: 'mock-gift-card',
        fields: [
          { key: 'merchant_id', value: id },
          { key: 'api_url', value: provider.url },
        ],
        ...{ acceptedCurrencies: ['USD'], acceptedCountries: ['US'] },
      };
      const made = await ask<{ readonly paymentService: { readonly id: string } }>(
        `mutation ($input: CreatePaymentServiceInput!) {
          answer: createPaymentService(input: $input) { paymentService { id } } }`,
        { input },
      );
      return made.paymentService.id;
    },
    buyer: async (externalIdentifier) => {
      const made = await ask<{ readonly buyer: { readonly id: string } }>(
        'mutation ($input: CreateBuyerInput!) { answer: createBuyer(input: $input) { buyer { id } } }',
        { input: { externalIdentifier } },
      );
      return made.buyer.id;
    },
    stored: async (input) => {
      const { giftCard, userErrors } = await store(input);
      if (!giftCard) throw new Error(JSON.stringify(userErrors));
      return giftCard;
    },
    read: (card) =>
      ask<GiftCard | null>(`query ($id: ID!) { answer: giftCard(id: $id) { ${GIFT_CARD} } }`, { id: card }),
    events: async (card) => {
      await relayAll(server.app);
      const notified: { readonly name: string; readonly payload: string }[] = [];
      for (let after: string | null = null, more = true; more;) {
        const page: Page = await ask<Page>(EVENTS, { after });
        notified.push(...page.nodes);
        [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
      }
      return documented(notified)
        .map(({ name, payload }) => [name, (JSON.parse(payload) as { target: Variables }).target] as const)
        .filter(([, { id: target }]) => target === card);
    },
  };
}
