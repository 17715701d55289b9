import fc from 'fast-check';
import { query } from '../support/database.ts';

/** The account of the rows, and another account with the same rows. */
export const ACCOUNT = 'account-1';
const OTHER = 'account-2';

/** The words of names and identifiers. Some begin others, and some have parts behind punctuation marks. */
export const WORDS = [
  'anna',
  'ann',
  'Müller',
  "O'Neil",
  'x',
  'Smith-Jones',
  'ÄRGER',
  '100%',
  'a_b',
  'cust-17',
];

const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((each) => each.join(' '));
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 2 });

/** Returns the id of a row. */
export const uuid = (number: number): string =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** Returns the moment of a row. Some rows have the same moment. */
export const madeAt = (number: number): Date =>
  new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 3) * 1000);

const link = fc.record({
  status: fc.constantFrom('active', 'active', 'completed', 'completed', 'processing', 'expired'),
  isLapsed: fc.boolean(),
  amount: fc.nat(40),
  currency: fc.constantFrom('EUR', 'EUR', 'USD'),
  country: fc.constantFrom('DE', 'DE', 'DE', 'US'),
  externalIdentifier: maybe(words),
  changed: fc.nat(600),
  metadata: maybe(fc.record({ cart: fc.constantFrom('1', '2'), channel: fc.constant('web') })),
  displayName: maybe(words),
  buyerIdentifier: maybe(word),
  emailAddress: maybe(fc.constantFrom('jo.doe@Example.com', 'ann@shop.example')),
});

/** The fields that a filter reads. */
export type ManyLink = ReturnType<typeof makeLinks>[number];

/** Makes the same links for the same seed. */
export const makeLinks = (rows: number, seed: number) =>
  fc.sample(link, { numRuns: rows, seed }).map(({ isLapsed, changed, ...each }, index) => ({
    ...each,
    id: uuid(index + 1),
    createdAt: madeAt(index),
    // No row changes before its creation.
    updatedAt: new Date(madeAt(index).getTime() + changed * 1000),
    expiresAt: new Date(Date.UTC(isLapsed ? 2026 : 2099, 0, 2)),
    shownStatus: each.status === 'active' && isLapsed ? 'expired' : each.status,
  }));

/** Stores the links in two accounts. A trigger writes their terms. */
export async function storeLinks(url: string, links: readonly ManyLink[]): Promise<void> {
  for (const account of [ACCOUNT, OTHER]) await query(url, STORE, [account, JSON.stringify(links)]);
  await query(url, 'ANALYZE payment_link');
}

const STORE = `
  WITH account AS (
    INSERT INTO merchant_account (id, display_name, created_at, updated_at) SELECT $1::text, 'x', now(), now())
  INSERT INTO payment_link (merchant_account_id, id, token_digest, sealed_token, status, amount, currency, country, intent,
    payment_source, store, external_identifier, metadata, buyer, expires_at, created_at, updated_at)
  SELECT $1::text, (l->>'id')::uuid, $1::text || (l->>'id'), '', l->>'status', (l->>'amount')::int, l->>'currency', l->>'country',
    'authorize', 'ecommerce', false, l->>'externalIdentifier', nullif(l->'metadata', 'null'),
    jsonb_build_object('displayName', l->'displayName', 'externalIdentifier', l->'buyerIdentifier',
      'billingDetails', jsonb_build_object('emailAddress', l->'emailAddress')),
    (l->>'expiresAt')::timestamptz, (l->>'createdAt')::timestamptz, (l->>'updatedAt')::timestamptz
  FROM jsonb_array_elements($2::jsonb) l`;
