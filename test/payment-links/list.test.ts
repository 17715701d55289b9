import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLinks, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
let rival: { readonly id: string; readonly token: string };
let buyerId: string;
const ids = new Map<string, string>();

/** One link for each name, in the order of creation. Another merchant account has the same links. */
const LINKS = {
  plain: {},
  small: { amount: 1 },
  large: { amount: 99_999_999 },
  euro: { currency: 'EUR' },
  german: { country: 'DE' },
  tagged: { metadata: { cart: '42', channel: 'web' } },
  retagged: { metadata: { cart: '43', channel: 'web' } },
  ordered: { externalIdentifier: 'Order 12-A' },
  lower: { externalIdentifier: 'order 12-a' },
  jane: {
    buyer: {
      displayName: 'Jane van Doe',
      externalIdentifier: 'Cust-7',
      billingDetails: { emailAddress: 'Jane.Doe@Example.com' },
    },
  },
  lasting: { expiresAt: '2099-01-01T00:00:00Z' },
} as const;
const NAMES = Object.keys(LINKS);

beforeAll(async () => {
  harness = await startLinks();
  rival = await harness.server.createMerchantAccount();
  const { buyer } = await harness.ask<{ buyer: { id: string } }>(
    'mutation { answer: createBuyer(input: { displayName: "Stored" }) { buyer { id } } }',
  );
  buyerId = buyer.id;
  for (const [name, input] of Object.entries(LINKS)) {
    ids.set(name, (await harness.made(input)).id);
    await harness.made(input, rival.token);
  }
  ids.set('stored', (await harness.made({ buyerId })).id);
  const gone = await harness.made({ amount: 7 });
  await harness.expire(gone.id);
  ids.set('gone', gone.id);
  ids.set('lapsed', (await harness.made({ amount: 8 })).id);
  await harness.rows(
    `UPDATE payment_link SET expires_at = now() - interval '1 hour' WHERE id = $1::uuid`,
    ids.get('lapsed'),
  );
  const paid = await harness.made({ amount: 9 });
  await harness.pay(paid);
  ids.set('paid', paid.id);
});
afterAll(() => harness.stop());

type Page = {
  readonly nodes: readonly { readonly id: string; readonly status: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

const LIST = `query ($filter: PaymentLinkFilter, $sort: PaymentLinkSort! = UPDATED_AT_DESC, $first: Int, $after: String,
  $last: Int, $before: String) {
  answer: paymentLinks(filter: $filter, sort: $sort, first: $first, after: $after, last: $last, before: $before) {
    nodes { id status } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

const page = (args: object, token?: string) => harness.ask<Page>(LIST, { ...args }, token);
const named = ({ nodes }: Page): readonly (string | undefined)[] =>
  nodes.map(({ id }) => [...ids].find(([, each]) => each === id)?.[0]);
const find = async (filter: object): Promise<readonly (string | undefined)[]> =>
  named(await page({ filter, sort: 'CREATED_AT_ASC', first: 100 }));

describe('a filter of payment links', () => {
  it.each([
    [{ status: ['COMPLETED'] }, ['paid']],
    [{ status: ['EXPIRED'] }, ['gone', 'lapsed']],
    [{ status: ['EXPIRED', 'COMPLETED'] }, ['gone', 'lapsed', 'paid']],
    [{ status: ['PROCESSING'] }, []],
    [{ status: ['ACTIVE'], amountLte: 1 }, ['small']],
    [{ amountEq: 99_999_999 }, ['large']],
    [{ amountGte: 7, amountLte: 8 }, ['gone', 'lapsed']],
    [{ currency: ['EUR', 'GBP'] }, ['euro']],
    [{ country: ['DE'] }, ['german']],
    [{ metadata: { cart: '42' } }, ['tagged']],
    [{ metadata: { cart: '43', channel: 'web' } }, ['retagged']],
    [{ metadata: { cart: '42', channel: 'app' } }, []],
    [{ externalIdentifier: 'Order 12-A' }, ['ordered']],
    [{ externalIdentifier: 'Order' }, []],
    [{ buyerExternalIdentifier: 'Cust-7' }, ['jane']],
    [{ buyerExternalIdentifier: 'cust-7' }, []],
    [{ buyerEmailAddress: 'jane.doe@EXAMPLE.com' }, ['jane']],
    [{ search: 'ORDER 12-' }, ['ordered', 'lower']],
    [{ search: 'doe jane' }, ['jane']],
    [{ search: 'example.com' }, ['jane']],
    [{ search: 'doe joan' }, []],
    [{ search: '%' }, []],
    [{ expiresAtGte: '2098-01-01T00:00:00Z' }, ['lasting']],
    [{ createdAtLte: '2020-01-01T00:00:00Z' }, []],
    [{ updatedAtLte: '2020-01-01T00:00:00Z' }, []],
    [{ createdAtGte: '2020-01-01T00:00:00Z', amountEq: 1 }, ['small']],
    [{ updatedAtGte: '2020-01-01T00:00:00Z', amountEq: 1 }, ['small']],
    [{ expiresAtLte: '2020-01-01T00:00:00Z' }, []],
  ])('%j finds %j', async (filter, found) => {
    expect(await find(filter)).toEqual(found);
  });

  it('finds by the stored buyer, by the id, and by the id as a word', async () => {
    const id = ids.get('plain')?.toUpperCase();
    expect(await find({ buyerId })).toEqual(['stored']);
    expect(await find({ id })).toEqual(['plain']);
    expect(await find({ search: id })).toEqual(['plain']);
  });

  it('finds nothing of another merchant account', async () => {
    const theirs = await page({ filter: { id: ids.get('plain') } }, rival.token);
    expect(theirs.nodes).toEqual([]);
    expect((await page({ first: 100 }, rival.token)).nodes).toHaveLength(NAMES.length);
  });

  it.each([
    [{ status: [] }, 'status'],
    [{ amountGte: 2, amountLte: 1 }, 'amountGte'],
    [{ expiresAtGte: '2026-01-02T00:00:00Z', expiresAtLte: '2026-01-01T00:00:00Z' }, 'expiresAtGte'],
    [{ currency: ['usd'] }, 'currency'],
    [{ buyerId: 'x' }, 'buyerId'],
    [{ metadata: {} }, 'metadata'],
    [{ search: ' ' }, 'search'],
  ])('is refused as %j', async (filter, path) => {
    const { body } = await harness.server.graphql(LIST, { filter });
    expect(body.errors).toMatchObject([
      {
        extensions: { code: 'INVALID_INPUT', refusals: [{ path: expect.arrayContaining(['filter', path]) }] },
      },
    ]);
  });
});

describe('a list of payment links', () => {
  const sorts = ['CREATED_AT', 'UPDATED_AT', 'AMOUNT'].flatMap((key) => [`${key}_ASC`, `${key}_DESC`]);

  it.each(sorts)('is read by %s in both directions without gap or repeat', async (sort) => {
    const all = named(await page({ sort, first: 100 }));
    const opposite = sort.endsWith('ASC') ? sort.replace('ASC', 'DESC') : sort.replace('DESC', 'ASC');
    expect(all).toHaveLength(ids.size);
    expect(named(await page({ sort: opposite, first: 100 }))).toEqual(all.toReversed());

    const forward: (string | undefined)[] = [];
    for (let after: string | null = null, more = true; more;) {
      const found: Page = await page({ sort, first: 4, after });
      forward.push(...named(found));
      [after, more] = [found.pageInfo.endCursor, found.pageInfo.hasNextPage];
    }
    const backward: (string | undefined)[] = [];
    for (let before: string | null = null, more = true; more;) {
      const found: Page = await page({ sort, last: 4, before });
      backward.unshift(...named(found));
      [before, more] = [found.pageInfo.startCursor, found.pageInfo.hasPreviousPage];
    }
    expect([forward, backward]).toEqual([all, all]);
  });

  it('shows the latest change first by default', async () => {
    expect(named(await page({ first: 1 }))).toEqual(['paid']);
  });

  it('refuses a cursor of another sort', async () => {
    const { pageInfo } = await page({ first: 1 });
    const { body } = await harness.server.graphql(LIST, { sort: 'AMOUNT_ASC', after: pageInfo.endCursor });
    expect(body.errors).toMatchObject([{ extensions: { refusals: [{ path: ['after'] }] } }]);
  });
});
