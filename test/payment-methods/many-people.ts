import fc from 'fast-check';
import { termsOf } from '../../src/modules/payment-methods/model/search-terms.ts';
import { paymentMethodTerms } from '../../src/modules/payment-methods/stored/terms.ts';
import type { Buyer } from '../../src/modules/payment-methods/model/buyer.ts';
import type { PaymentMethod } from '../../src/modules/payment-methods/model/payment-method.ts';
import { query } from '../support/database.ts';

/** The account of the rows, and another account with the same rows. */
export const ACCOUNT = 'account-1';
const OTHER = 'account-2';

/** The words of names and identifiers. Some begin others, and some have parts behind punctuation marks. */
export const WORDS = [
  ...[
    'anna',
    'ann',
    'Müller',
    "O'Neil",
    'x',
    'Smith-Jones',
    'jo.doe@Example.com',
    '+4912345',
    'ÄRGER',
    '100%',
  ],
  ...['a_b', 'cust-17', 'visa'],
];

const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((each) => each.join(' '));
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 2 });

const uuid = (number: number): string => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** Returns the moment of a row. Some rows have the same moment. */
export const madeAt = (number: number): Date =>
  new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 3) * 1000);

/** A buyer with the mark of its deletion. */
export type KeptBuyer = Buyer & { readonly deletedAt: Date | null };

const details = fc.record({
  displayName: maybe(words),
  accountNumber: maybe(word),
  firstName: maybe(word),
  lastName: maybe(words),
  emailAddress: maybe(fc.constantFrom('jo.doe@Example.com', 'ann@shop.example')),
  phoneNumber: maybe(fc.constant('+4912345')),
  isNamed: fc.boolean(),
  isDeleted: fc.constantFrom(true, false, false, false),
});

/** Makes the same buyers for the same seed. */
export const makeBuyers = (rows: number, seed: number): readonly KeptBuyer[] =>
  fc.sample(details, { numRuns: rows, seed }).map(({ isNamed, isDeleted, ...each }, index) => ({
    merchantAccountId: ACCOUNT,
    id: uuid(index + 1),
    displayName: each.displayName,
    externalIdentifier: isNamed ? `${WORDS[index % WORDS.length]} ${index}` : null,
    accountNumber: each.accountNumber,
    billingDetails: {
      ...{ firstName: each.firstName, lastName: each.lastName },
      ...{ emailAddress: each.emailAddress, phoneNumber: each.phoneNumber },
      ...{ address: null, taxId: null },
    },
    createdAt: madeAt(index),
    updatedAt: madeAt(index),
    deletedAt: isDeleted ? madeAt(rows) : null,
  }));

/** A payment method with the mark of its deletion, and without the columns that no filter reads. */
export type KeptMethod = Pick<
  PaymentMethod,
  | 'id'
  | 'buyerId'
  | 'method'
  | 'fingerprint'
  | 'externalIdentifier'
  | 'lastFour'
  | 'bin'
  | 'scheme'
  | 'bankScheme'
  | 'createdAt'
> & { readonly status: string; readonly deletedAt: Date | null };

const method = fc.record({
  buyer: maybe(fc.nat(5)),
  method: fc.constantFrom('card', 'card', 'card', 'bank', 'paypal'),
  status: fc.constantFrom('succeeded', 'succeeded', 'processing', 'failed'),
  fingerprint: maybe(fc.constantFrom('fp-1', 'fp-2')),
  externalIdentifier: maybe(words),
  lastFour: maybe(fc.constantFrom('1111', '1203')),
  bin: maybe(fc.constantFrom('41111111', '52000000')),
  scheme: maybe(fc.constantFrom('visa', 'carte-bancaire')),
  bankScheme: maybe(fc.constantFrom('sepa' as const, 'bacs' as const)),
  isDeleted: fc.constantFrom(true, false, false, false),
});

/** Makes the same payment methods for the same seed. */
export const makeMethods = (rows: number, seed: number): readonly KeptMethod[] =>
  fc.sample(method, { numRuns: rows, seed }).map(({ buyer, isDeleted, ...each }, index) => ({
    ...each,
    // A deleted row has neither.
    status: isDeleted ? 'deleted' : each.status,
    fingerprint: isDeleted ? null : each.fingerprint,
    id: uuid(index + 1),
    buyerId: buyer === null ? null : uuid(buyer + 1),
    createdAt: madeAt(index),
    deletedAt: isDeleted ? madeAt(rows) : null,
  }));

/** Stores the rows with the terms of those that are not deleted, in two accounts. */
export async function storePeople(
  url: string,
  buyers: readonly KeptBuyer[],
  methods: readonly KeptMethod[],
): Promise<void> {
  const alive = <Row extends { readonly deletedAt: Date | null }>(rows: readonly Row[]) =>
    rows.filter(({ deletedAt }) => deletedAt === null);
  const terms = {
    buyers: alive(buyers).flatMap((row) => termsOf(row).map((term) => ({ term, id: row.id }))),
    methods: alive(methods).flatMap((row) => paymentMethodTerms(row).map((term) => ({ term, id: row.id }))),
  };
  for (const account of [ACCOUNT, OTHER])
    await query(url, STORE, [account, JSON.stringify({ buyers, methods, terms })]);
  await query(url, 'ANALYZE buyer');
  await query(url, 'ANALYZE payment_method');
}

const STORE = `
  WITH given AS (SELECT $1::text AS account, $2::jsonb AS rows),
  account AS (
    INSERT INTO merchant_account (id, display_name, created_at, updated_at) SELECT account, 'x', now(), now() FROM given),
  buyers AS (
    INSERT INTO buyer (merchant_account_id, id, display_name, external_identifier, account_number, billing_details, created_at,
      updated_at, deleted_at)
    SELECT account, (b->>'id')::uuid, b->>'displayName', b->>'externalIdentifier', b->>'accountNumber', b->'billingDetails',
      (b->>'createdAt')::timestamptz, (b->>'updatedAt')::timestamptz, (b->>'deletedAt')::timestamptz
    FROM given, jsonb_array_elements(rows->'buyers') b),
  methods AS (
    INSERT INTO payment_method (merchant_account_id, id, buyer_id, method, instrument_type, status, fingerprint,
      external_identifier, last_four, bin, scheme, bank_scheme, additional_schemes, created_at, updated_at, deleted_at)
    SELECT account, (m->>'id')::uuid, (m->>'buyerId')::uuid, m->>'method',
      CASE WHEN m->>'bankScheme' IS NULL THEN 'pan' ELSE 'bank' END, m->>'status', m->>'fingerprint',
      m->>'externalIdentifier', m->>'lastFour', m->>'bin', m->>'scheme', m->>'bankScheme', '{}',
      (m->>'createdAt')::timestamptz, (m->>'createdAt')::timestamptz, (m->>'deletedAt')::timestamptz
    FROM given, jsonb_array_elements(rows->'methods') m),
  buyer_terms AS (
    INSERT INTO buyer_term (merchant_account_id, term, buyer_id)
    SELECT account, x->>'term', (x->>'id')::uuid FROM given, jsonb_array_elements(rows->'terms'->'buyers') x)
  INSERT INTO payment_method_term (merchant_account_id, term, payment_method_id)
  SELECT account, x->>'term', (x->>'id')::uuid FROM given, jsonb_array_elements(rows->'terms'->'methods') x`;
