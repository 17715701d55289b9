import { passesLuhn } from '../../src/kernel/account-numbers/card-number.ts';
import type { CreateInput, Harness } from '../transactions/harness.ts';

/** The victim's card. Its first eight and last four digits are shown. */
export const BIN = '41112233';
export const LAST_FOUR = '4242';
export const CANDIDATES = Array.from(
  { length: 10_000 },
  (_, at) => `${BIN}${String(at).padStart(4, '0')}${LAST_FOUR}`,
)
  .filter(passesLuhn)
  .slice(0, 320);
export const [VICTIM = ''] = CANDIDATES.slice(200);

export const LIMIT = 10;
export const REFUSED = 'TOO_MANY_CARD_NUMBERS';

type UserError = {
  readonly code: string;
  readonly path: readonly string[];
  readonly retryAfterSeconds?: number;
};
export type Stored = {
  readonly paymentMethod: { readonly id: string; readonly fingerprint: string | null } | null;
  readonly userErrors: readonly UserError[];
};

const ERRORS = 'userErrors { code message path ... on TooManyCardNumbers { retryAfterSeconds } }';
export const STORE = (fields: string): string =>
  `mutation ($input: StorePaymentMethodInput!, $key: String) {
    storePaymentMethod(input: $input, idempotencyKey: $key) { paymentMethod { ${fields} } ${ERRORS} } }`;

export const cardOf = (number: string) => ({ number, expirationDate: '03/30' });
export const ATTACKER = [
  'payment-methods.read',
  'payment-methods.write',
  'transactions.read',
  'transactions.write',
];

/** A merchant account with a payment service, and a token. */
export type Shop = { readonly harness: Harness; readonly id: string; readonly token: string };

/** Creates a merchant account with a payment service, and a token with these scopes. */
export async function openShop(harness: Harness, scopes = ATTACKER): Promise<Shop> {
  const { id, token } = await harness.server.createMerchantAccount();
  const input = {
    ...{ displayName: 'S', paymentServiceDefinitionId: 'mock-card', acceptedCurrencies: ['USD'] },
    ...{ acceptedCountries: ['US'], fields: FIELDS(harness) },
  };
  const made = `mutation ($input: CreatePaymentServiceInput!) {
    createPaymentService(input: $input) { userErrors { message } } }`;
  await harness.server.graphql(made, { input }, { token });
  return { harness, id, token: await harness.server.mint({ merchantAccountId: id, scopes }) };
}

const FIELDS = (harness: Harness) => [
  { key: 'merchant_id', value: 'test' },
  { key: 'api_url', value: harness.provider.url },
];

/** Stores a card with this number. */
export async function store(shop: Shop, number: string, { fields = 'id', key = null as string | null } = {}) {
  const input = { instrument: { card: cardOf(number) } };
  const { body } = await shop.harness.server.graphql<{ storePaymentMethod: Stored }>(
    STORE(fields),
    { input, key },
    { token: shop.token },
  );
  return {
    ...(body.data?.storePaymentMethod ?? { paymentMethod: null, userErrors: [] }),
    errors: body.errors,
  };
}

/** Pays with a new payment. Throws when the answer has no data. */
export async function pay(
  shop: Shop,
  paymentMethod: object,
  more: CreateInput = {},
  key: string | null = null,
) {
  const document = `mutation ($input: CreateTransactionInput!, $key: String) {
    createTransaction(input: $input, idempotencyKey: $key) { transaction { id status } ${ERRORS} replayed } }`;
  type Paid = {
    readonly transaction: { readonly id: string; readonly status: string } | null;
    readonly userErrors: readonly UserError[];
    readonly replayed: boolean;
  };
  const input = { amount: 1299, currency: 'USD', paymentMethod, ...more };
  const { body } = await shop.harness.server.graphql<{ createTransaction: Paid }>(
    document,
    { input, key },
    { token: shop.token },
  );
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.createTransaction;
}
