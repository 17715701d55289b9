import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PageRequest } from '../../src/kernel/page.ts';
import { paymentLinkFilter, type PaymentLinkFilter } from '../../src/modules/payment-links/filter.ts';
import { linkList } from '../../src/modules/payment-links/store/list.ts';
import { partsOf } from '../../src/modules/payment-methods/model/search-terms.ts';
import { readSort, type Sort } from '../../src/platform/lists/sort.ts';
import { countOf, idsOf, remedyOf } from '../support/bounded-answers.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ACCOUNT, madeAt, makeLinks, storeLinks, uuid, WORDS, type ManyLink } from './many-links.ts';

// A list among more payment links than one request may scan.

const ROWS = 400;
const SEED = 20261125;
const links = makeLinks(ROWS, SEED);

let server: TestServer;
let token: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  await storeLinks(database.url, links);
  server = await startTestServer({ database, settings: { PAYGRAPH_LIST_SCAN_LIMIT: '100' } });
  token = await server.mint({ merchantAccountId: ACCOUNT });
}, 60_000);
afterAll(() => server.stop());

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const list = <Value>(...values: readonly Value[]) => maybe(fc.subarray([...values], { minLength: 1 }));
const part = fc
  .tuple(fc.constantFrom(...WORDS), fc.nat(3), fc.integer({ min: 1, max: 5 }))
  .map(([word, start, length]) => word.slice(start, start + length) || word);
const range = <Name extends string>(name: Name, value: fc.Arbitrary<number | Date>) =>
  maybe(fc.tuple(value, value)).map((given) => {
    if (given === null) return {};
    const [from, to] = given.toSorted((one, other) => Number(one) - Number(other));
    return { [`${name}Gte`]: from, [`${name}Lte`]: to };
  });
const moment = fc.nat(ROWS).map(madeAt);

const anyFilter = fc
  .tuple(
    fc.record({
      id: seldom(fc.integer({ min: 1, max: ROWS }).map(uuid)),
      status: list('active', 'processing', 'completed', 'expired'),
      currency: list('USD', 'GBP'),
      country: list('DE', 'US'),
      externalIdentifier: seldom(fc.constantFrom(...WORDS)),
      buyerExternalIdentifier: seldom(fc.constantFrom(...WORDS)),
      buyerEmailAddress: seldom(fc.constant('JO.doe@example.com')),
      metadata: maybe(fc.constantFrom({ cart: '1' }, { channel: 'web' }, { cart: '2', channel: 'web' })),
      search: maybe(fc.array(part, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '))),
      contains: maybe(part),
    }),
    range('amount', fc.nat(40)),
    range('createdAt', moment),
    range('updatedAt', moment),
    range(
      'expiresAt',
      fc.constantFrom(new Date('2025-01-01'), new Date('2030-01-01'), new Date('2100-01-01')),
    ),
  )
  .map(([filter, ...ranges]) => paymentLinkFilter.parse(Object.assign({}, filter, ...ranges)));

const textsOf = ({ externalIdentifier, displayName, buyerIdentifier, emailAddress }: ManyLink) =>
  [externalIdentifier, displayName, buyerIdentifier, emailAddress].flatMap((text) => text ?? []);

/** A word of one or two characters must be a whole term. */
const isFound = (link: ManyLink, word: string): boolean => {
  const terms = textsOf(link).flatMap((text) => [...partsOf(text), text.toLowerCase()]);
  const sought = word.toLowerCase();
  return terms.some((term) => (Array.from(word).length < 3 ? term === sought : term.startsWith(sought)));
};

const isWithin = (value: Date | number, from: Date | number | null, to: Date | number | null): boolean =>
  (from === null || value >= from) && (to === null || value <= to);

const isAmong = (value: string, wanted: readonly string[] | null): boolean =>
  wanted === null || wanted.includes(value);

const isEqual = (value: string | null, wanted: string | null): boolean => wanted === null || value === wanted;

const meets = (link: ManyLink, filter: PaymentLinkFilter): boolean =>
  isEqual(link.id, filter.id) &&
  isAmong(link.shownStatus, filter.status) &&
  isAmong(link.currency, filter.currency) &&
  isAmong(link.country, filter.country) &&
  isWithin(link.amount, filter.amountGte, filter.amountLte) &&
  isWithin(link.createdAt, filter.createdAtGte, filter.createdAtLte) &&
  isWithin(link.updatedAt, filter.updatedAtGte, filter.updatedAtLte) &&
  isWithin(link.expiresAt, filter.expiresAtGte, filter.expiresAtLte) &&
  isEqual(link.externalIdentifier, filter.externalIdentifier) &&
  isEqual(link.buyerIdentifier, filter.buyerExternalIdentifier) &&
  isEqual(link.emailAddress?.toLowerCase() ?? null, filter.buyerEmailAddress?.toLowerCase() ?? null) &&
  Object.entries(filter.metadata ?? {}).every(
    ([key, value]) => Object.entries(link.metadata ?? {}).find(([each]) => each === key)?.[1] === value,
  ) &&
  (filter.search ?? []).every(({ text }) => isFound(link, text)) &&
  (filter.contains === null ||
    textsOf(link).some((text) => text.toLowerCase().includes(filter.contains?.toLowerCase() ?? '')));

const FIELDS = { created_at: 'createdAt', updated_at: 'updatedAt', amount: 'amount' } as const;

/** The ids of a page of 6. */
function pageOf(found: readonly ManyLink[], sort: Sort, direction: PageRequest['direction']) {
  const { key, descending } = readSort(sort);
  const field = FIELDS[key];
  const sorted = found.toSorted(
    (one, other) => Number(one[field]) - Number(other[field]) || (one.id < other.id ? -1 : 1),
  );
  const ids = (descending ? sorted.toReversed() : sorted).map(({ id }) => id);
  return direction === 'forward' ? ids.slice(0, 6) : ids.slice(-6);
}

const anySort = fc.constantFrom<Sort[]>(
  'created_at_desc',
  'created_at_asc',
  'updated_at_desc',
  'updated_at_asc',
  'amount_desc',
  'amount_asc',
);

/** So few scanned rows that most filters are refused, some, and so many that none is. */
const SCAN_LIMIT = [20, 100, 10_000];

it('a filter has the same answer as a look at every link', async () => {
  const narrowed = { true: 0, false: 0 };
  const check = async (
    filter: PaymentLinkFilter,
    sort: Sort,
    direction: PageRequest['direction'],
    scanLimit: number,
  ): Promise<void> => {
    const asked = {
      ...{ db: server.app.readDb, scanLimit, filter, request: { direction, limit: 6, cursor: null } },
      listOf: (each: PaymentLinkFilter) =>
        linkList(ACCOUNT, { sort, direction, position: null, filter: each }, 'whole'),
    };
    const [page, count] = [await idsOf(asked), await countOf(asked)];

    const found = links.filter((link) => meets(link, page.filter));
    expect(page.value).toEqual(pageOf(found, sort, direction));
    expect(count.value).toBe(links.filter((link) => meets(link, count.filter)).length);
    narrowed[`${page.isNarrowed}`] += 1;
  };
  const anyDirection = fc.constantFrom('forward' as const, 'backward' as const);
  await fc.assert(fc.asyncProperty(anyFilter, anySort, anyDirection, fc.constantFrom(...SCAN_LIMIT), check), {
    seed: SEED,
    numRuns: 500,
  });
  expect(Math.min(...Object.values(narrowed))).toBeGreaterThan(30);
});

describe('a filter that too few of the visited links meet', () => {
  it.each([
    ['CREATED_AT_DESC', 'createdAtGte', { contains: 'nobody' }, 100],
    ['CREATED_AT_ASC', 'createdAtLte', { contains: 'nobody' }, 100],
    ['AMOUNT_DESC', 'createdAtGte', { contains: 'nobody' }, 40],
    ['CREATED_AT_DESC', 'createdAtGte', { status: ['ACTIVE'], contains: 'nobody' }, 40],
  ])(
    '%s is refused at %s, and answered in the range of the refusal',
    async (sort, name, filter, scanLimit) => {
      const ask = (given: object) =>
        server.graphql(
          `query ($filter: PaymentLinkFilter, $sort: PaymentLinkSort!) {
          paymentLinks(filter: $filter, sort: $sort) { nodes { id } } }`,
          { filter: given, sort },
          { token },
        );
      const { body } = await ask(filter);

      const [error] = body.errors ?? [];
      const path = ['filter', name];
      expect(error?.extensions).toMatchObject({ code: 'INVALID_INPUT', refusals: [{ path }] });
      expect(error?.message).toContain(
        `One request reads at most ${scanLimit} payment links, and this filter`,
      );
      const remedy = remedyOf(error?.message);
      expect(Object.keys(remedy)).toEqual([name]);
      expect((await ask({ ...filter, ...remedy })).body).toEqual({ data: { paymentLinks: { nodes: [] } } });
    },
  );

  it('is not counted', async () => {
    const { body } = await server.graphql(
      '{ paymentLinks(filter: { contains: "nobody" }) { totalCount { count } } }',
      {},
      { token },
    );

    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      refusals: [{ path: ['filter', 'createdAtGte'] }],
    });
  });
});
