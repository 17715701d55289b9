import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PageRequest } from '../../src/kernel/page.ts';
import {
  buyerFilter,
  paymentMethodFilter,
  type BuyerFilter,
} from '../../src/modules/payment-methods/model/filter.ts';
import { termsOf } from '../../src/modules/payment-methods/model/search-terms.ts';
import { paymentMethodTerms } from '../../src/modules/payment-methods/stored/terms.ts';
import { buyerList } from '../../src/modules/payment-methods/store/buyers/buyer-list.ts';
import {
  paymentMethodList,
  type PaymentMethodConditions,
} from '../../src/modules/payment-methods/store/payment-method-list.ts';
import { NEWEST_FIRST } from '../../src/platform/lists/sort.ts';
import { countOf, idsOf, remedyOf } from '../support/bounded-answers.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import {
  ACCOUNT,
  madeAt,
  makeBuyers,
  makeMethods,
  storePeople,
  WORDS,
  type KeptBuyer,
  type KeptMethod,
} from './many-people.ts';

// Lists among more records than one request may scan.

const ROWS = 400;
const SEED = 20261125;
const buyers = makeBuyers(ROWS, SEED);
const methods = makeMethods(ROWS, SEED);

let server: TestServer;
let token: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  await storePeople(database.url, buyers, methods);
  server = await startTestServer({ database, settings: { PAYGRAPH_LIST_SCAN_LIMIT: '100' } });
  token = await server.mint({ merchantAccountId: ACCOUNT });
}, 60_000);
afterAll(() => server.stop());

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 2 });
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const part = fc
  .tuple(fc.constantFrom(...WORDS), fc.nat(3), fc.integer({ min: 1, max: 5 }))
  .map(([word, start, length]) => word.slice(start, start + length) || word);
const searched = fc.array(part, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '));
const moment = fc.nat(ROWS).map(madeAt);
const created = maybe(fc.tuple(moment, moment)).map((range) => {
  if (range === null) return {};
  const [createdAtGte, createdAtLte] = range.toSorted((one, other) => Number(one) - Number(other));
  return { createdAtGte, createdAtLte };
});

const anyBuyerFilter = fc
  .record({
    externalIdentifier: seldom(fc.nat(ROWS - 1)),
    created,
    search: maybe(searched),
    contains: maybe(part),
  })
  .map(({ externalIdentifier: index, created: range, ...filter }) =>
    buyerFilter.parse({
      ...filter,
      ...range,
      externalIdentifier: index === null ? null : (buyers[index]?.externalIdentifier ?? 'none'),
    }),
  );

const list = <Value>(...values: readonly Value[]) => maybe(fc.subarray([...values], { minLength: 1 }));

const anyMethodFilter = fc
  .record({
    buyerId: maybe(fc.constantFrom(...methods.slice(0, 20).map(({ buyerId }) => buyerId))),
    method: list('card', 'paypal', 'ideal'),
    status: list('succeeded', 'failed', 'deleting'),
    fingerprint: maybe(fc.constantFrom('fp-1', 'fp-3')),
    externalIdentifier: seldom(fc.constantFrom(...WORDS)),
    created,
    search: maybe(fc.oneof(searched, fc.constantFrom('411', 'carte', 'bancaire', 'bacs', 'ca'))),
    contains: maybe(fc.oneof(part, fc.constantFrom('120', 'ancair', 'EPA'))),
  })
  .map(({ created: range, ...filter }): PaymentMethodConditions => {
    const { buyerExternalIdentifier: _none, ...conditions } = paymentMethodFilter.parse({
      ...filter,
      ...range,
    });
    return conditions;
  });

type Created = { readonly createdAtGte: Date | null; readonly createdAtLte: Date | null };
type Kept = { readonly createdAt: Date; readonly deletedAt: Date | null };

const isListed = ({ createdAt, deletedAt }: Kept, { createdAtGte, createdAtLte }: Created): boolean =>
  deletedAt === null &&
  (createdAtGte === null || createdAt >= createdAtGte) &&
  (createdAtLte === null || createdAt <= createdAtLte);

const isFound = (terms: readonly string[], search: readonly string[] | null): boolean =>
  (search ?? []).every((word) => terms.some((term) => term.startsWith(word)));

const isContained = (texts: readonly (string | null | undefined)[], contains: string | null): boolean =>
  contains === null || texts.some((text) => text?.toLowerCase().includes(contains.toLowerCase()));

const isEqual = (value: string | null, wanted: string | null): boolean => wanted === null || value === wanted;

const isAmong = (value: string, wanted: readonly string[] | null): boolean =>
  wanted === null || wanted.includes(value);

const buyerMeets = (buyer: KeptBuyer, filter: BuyerFilter): boolean =>
  isListed(buyer, filter) &&
  isEqual(buyer.externalIdentifier, filter.externalIdentifier) &&
  isFound(termsOf(buyer), filter.search) &&
  isContained(textsOf(buyer), filter.contains);

const textsOf = ({ displayName, externalIdentifier, accountNumber, billingDetails }: KeptBuyer) => [
  ...[displayName, externalIdentifier, accountNumber, billingDetails?.firstName],
  ...[billingDetails?.lastName, billingDetails?.emailAddress, billingDetails?.phoneNumber],
];

const methodMeets = (method: KeptMethod, filter: PaymentMethodConditions): boolean =>
  isListed(method, filter) &&
  isEqual(method.buyerId, filter.buyerId) &&
  isAmong(method.method, filter.method) &&
  isAmong(method.status, filter.status) &&
  isEqual(method.fingerprint, filter.fingerprint) &&
  isEqual(method.externalIdentifier, filter.externalIdentifier) &&
  isFound(paymentMethodTerms(method), filter.search) &&
  isContained(
    [method.externalIdentifier, method.lastFour, method.bin, method.scheme, method.method, method.bankScheme],
    filter.contains,
  );

/** The ids of a page of 6 among all ids, which come from the oldest on. */
const pageOf = (ids: readonly string[], direction: PageRequest['direction']): readonly string[] =>
  direction === 'forward' ? ids.toReversed().slice(0, 6) : ids.slice(0, 6).toReversed();

const anyRequest = fc
  .constantFrom('forward' as const, 'backward' as const)
  .map((direction): PageRequest => ({ direction, limit: 6, cursor: null }));

/** So few scanned rows that most filters are refused, some, and so many that none is. */
const SCAN_LIMIT = [20, 100, 10_000];

describe('a filter has the same answer as a look at every record', () => {
  it('of buyers', async () => {
    const narrowed = { true: 0, false: 0 };
    const check = async (filter: BuyerFilter, request: PageRequest, scanLimit: number): Promise<void> => {
      const asked = {
        ...{ db: server.app.readDb, scanLimit, request, filter },
        listOf: (each: typeof filter) =>
          buyerList(
            ACCOUNT,
            { sort: NEWEST_FIRST, direction: request.direction, position: null, filter: each },
            'whole',
          ),
      };
      const [page, count] = [await idsOf(asked), await countOf(asked)];

      const found = buyers.filter((buyer) => buyerMeets(buyer, page.filter)).map(({ id }) => id);
      expect(page.value).toEqual(pageOf(found, request.direction));
      expect(count.value).toBe(buyers.filter((buyer) => buyerMeets(buyer, count.filter)).length);
      narrowed[`${page.isNarrowed}`] += 1;
    };
    await fc.assert(fc.asyncProperty(anyBuyerFilter, anyRequest, fc.constantFrom(...SCAN_LIMIT), check), {
      seed: SEED,
      numRuns: 300,
    });
    expect(Math.min(...Object.values(narrowed))).toBeGreaterThan(15);
  });

  it('of payment methods', async () => {
    const narrowed = { true: 0, false: 0 };
    const check = async (
      filter: PaymentMethodConditions,
      request: PageRequest,
      scanLimit: number,
    ): Promise<void> => {
      const asked = {
        ...{ db: server.app.readDb, scanLimit, request, filter },
        listOf: (each: typeof filter) =>
          paymentMethodList(
            ACCOUNT,
            { sort: NEWEST_FIRST, direction: request.direction, position: null, filter: each },
            'whole',
          ),
      };
      const [page, count] = [await idsOf(asked), await countOf(asked)];

      const found = methods.filter((method) => methodMeets(method, page.filter)).map(({ id }) => id);
      expect(page.value).toEqual(pageOf(found, request.direction));
      expect(count.value).toBe(methods.filter((method) => methodMeets(method, count.filter)).length);
      narrowed[`${page.isNarrowed}`] += 1;
    };
    await fc.assert(fc.asyncProperty(anyMethodFilter, anyRequest, fc.constantFrom(...SCAN_LIMIT), check), {
      seed: SEED,
      numRuns: 300,
    });
    expect(Math.min(...Object.values(narrowed))).toBeGreaterThan(15);
  });
});

describe('a filter that too few of the scanned records meet', () => {
  it.each([
    ['buyers', 'contains: "nobody"', ['createdAtGte'], 100],
    ['paymentMethods', 'filter: { contains: "nobody" }', ['filter', 'createdAtGte'], 100],
    [
      'paymentMethods',
      'filter: { method: ["card"], status: [SUCCEEDED], contains: "nobody" }',
      ['filter', 'createdAtGte'],
      40,
    ],
  ])('%s(%s) is refused with the range to add', async (list, args, path, scanLimit) => {
    const what = list === 'buyers' ? 'buyers' : 'payment methods';
    for (const field of ['nodes { id }', 'totalCount { count }']) {
      const { body } = await server.graphql(`{ ${list}(${args}) { ${field} } }`, {}, { token });

      const [error] = body.errors ?? [];
      expect(error?.extensions).toMatchObject({ code: 'INVALID_INPUT', refusals: [{ path }] });
      expect(error?.message).toContain(
        `One request reads at most ${scanLimit} ${what}, and this filter needs`,
      );
      expect(Object.keys(remedyOf(error?.message))).toEqual(['createdAtGte']);
    }
  });

  it('is answered in a range of creation', async () => {
    const { body } = await server.graphql(
      `query ($gte: DateTime!) {
        buyers(contains: "nobody", createdAtGte: $gte) { nodes { id } }
        paymentMethods(filter: { contains: "nobody", createdAtGte: $gte }) { nodes { id } } }`,
      { gte: madeAt(ROWS - 50) },
      { token },
    );

    expect(body).toEqual({ data: { buyers: { nodes: [] }, paymentMethods: { nodes: [] } } });
  });

  it.each([
    ['buyers(createdAtGte: "2026-01-02T00:00:00Z", createdAtLte: "2026-01-01T00:00:00Z")', ['createdAtGte']],
    [
      'paymentMethods(filter: { createdAtGte: "2026-01-02T00:00:00Z", createdAtLte: "2026-01-01T00:00:00Z" })',
      ['filter', 'createdAtGte'],
    ],
    ['buyers(contains: "")', ['contains']],
  ])('%s is refused', async (list, path) => {
    const { body } = await server.graphql(`{ ${list} { nodes { id } } }`, {}, { token });

    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', refusals: [{ path }] });
  });
});
