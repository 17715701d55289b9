import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '../../src/kernel/page.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { list, refusalOf, type ListArguments } from './lists.ts';
import { insertRow, insertRows, minute, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const SORTS = ['CREATED_AT', 'UPDATED_AT', 'AMOUNT'].flatMap((key) => [`${key}_ASC`, `${key}_DESC`]);
const FIRST = 20;

/** Few values, so that most rows share theirs. Each value orders the rows differently. */
const valuesOf = (number: number): Row => ({
  createdAt: minute(number % 3),
  updatedAt: minute((number * 5) % 4),
  amount: (number * 3) % 5,
  metadata: { walk: 'yes' },
});

/** Creates a merchant account with rows numbered from 0. Their ids sort in the same order. */
async function makeRows(): Promise<{ id: string; token: string; ids: readonly string[] }> {
  const account = await server.createMerchantAccount();
  const rows = Array.from({ length: FIRST }, (_, index) => ({ number: index * 10, ...valuesOf(index) }));
  return { ...account, ids: await insertRows(server, account.id, rows) };
}

/** Reads page after page, forward or backward, and calls a function between pages. */
async function walk(
  token: string,
  { direction, between, ...args }: ListArguments & { direction: string; between?: () => Promise<unknown> },
): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page = direction === 'forward' ? { first: 3, after: cursor } : { last: 3, before: cursor };
    const { nodes, pageInfo } = await list(server, { ...args, ...page }, token);
    const ids = nodes.map(({ id }) => id);
    if (direction === 'forward') found.push(...ids);
    else found.unshift(...ids);
    cursor = direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor;
    if (!(direction === 'forward' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return found;
    await between?.();
  }
}

/** The access paths of a list: an index of rows, of terms, and of a search. */
const FILTERS = {
  'all of them': {},
  'a pair of metadata': { metadata: { walk: 'yes' } },
  'a search': { search: '1111' },
};
const WALKS = SORTS.flatMap((sort) =>
  Object.entries(FILTERS).flatMap(([what, filter]) =>
    ['forward', 'backward'].map((direction) => [what, sort, direction, filter] as const),
  ),
);

describe('pages of transactions', () => {
  it.each(WALKS)(
    'return every row once while new ones are created: %s by %s, %s',
    async (_what, sort, direction, filter) => {
      const { id, token, ids } = await makeRows();
      let made = 0;
      const between = () => insertRow(server, id, made * 10 + 5, valuesOf(made++ * 7));

      const found = await walk(token, { sort, filter, direction, between });

      expect(new Set(found).size).toBe(found.length);
      expect(ids.filter((each) => !found.includes(each))).toEqual([]);
      const { nodes } = await list(server, { sort, filter, first: 100 }, token);
      expect(found).toEqual(nodes.map((node) => node.id).filter((each) => found.includes(each)));
    },
  );

  it.each(SORTS)('are the same in both directions and every page size, by %s', async (sort) => {
    const { token, ids } = await makeRows();
    const { nodes, edges, pageInfo } = await list(server, { sort, first: 100 }, token);
    const whole = nodes.map(({ id }) => id);

    expect(whole.toSorted()).toEqual(ids.toSorted());
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges.at(0)?.cursor,
      endCursor: edges.at(-1)?.cursor,
    });
    for (const [index, { cursor }] of edges.entries()) {
      const after = await list(server, { sort, first: 100, after: cursor }, token);
      const before = await list(server, { sort, last: 100, before: cursor }, token);
      expect([...before.nodes, ...nodes.slice(index, index + 1), ...after.nodes].map(({ id }) => id)).toEqual(
        whole,
      );
      expect(after.pageInfo.hasPreviousPage).toBe(true);
    }
  });

  it('sorted by the oldest change first, return a changed row again and miss none', async () => {
    const { id, token, ids } = await makeRows();
    let moved = 0;
    const between = () =>
      server.app.db.prisma.transaction.updateMany({
        where: { merchantAccountId: id, id: ids[moved] ?? '' },
        data: { updatedAt: minute(100 + moved++) },
      });

    const found = await walk(token, { sort: 'UPDATED_AT_ASC', direction: 'forward', between });

    expect(ids.filter((each) => !found.includes(each))).toEqual([]);
  });

  it.each(SORTS)('refuse the cursor of another sort than %s', async (sort) => {
    const { token } = await makeRows();
    const others = SORTS.filter((each) => each !== sort);
    for (const other of others) {
      const { pageInfo } = await list(server, { sort: other, first: 1 }, token);
      for (const page of [{ after: pageInfo.endCursor }, { before: pageInfo.endCursor }]) {
        expect(await refusalOf(server, { sort, ...page })).toMatchObject({
          message: `${Object.keys(page).join('')}: The cursor comes from another sort. Give the same sort again, or start without a cursor.`,
          extensions: { code: 'INVALID_INPUT', refusals: [{ path: Object.keys(page) }] },
        });
      }
    }
  });

  const id = '00000000-0000-7000-8000-000000000001';
  it.each([
    'nonsense',
    encodeCursor(id),
    encodeCursor(`amount_asc 12 ${id} more`),
    encodeCursor(`amount_asc 12 x`),
    encodeCursor(`amount_asc 123456789 ${id}`),
    encodeCursor(`amount_asc -1 ${id}`),
    encodeCursor(`amount_asc 2026-05-01T00:00:00.000Z ${id}`),
  ])('refuse an invalid cursor (%#)', async (cursor) => {
    for (const page of [{ after: cursor }, { before: cursor }]) {
      expect(await refusalOf(server, { sort: 'AMOUNT_ASC', ...page })).toMatchObject({
        message: `${Object.keys(page).join('')}: Must be a cursor of this list.`,
        extensions: { code: 'INVALID_INPUT' },
      });
    }
  });

  it.each([
    '12',
    '2026-05-01',
    '2026-13-01T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '+012026-01-01T00:00:00.000Z',
    'infinity',
  ])('refuse %s as a moment', async (value) => {
    const after = encodeCursor(`created_at_desc ${value} ${id}`);
    expect(await refusalOf(server, { after })).toMatchObject({
      message: 'after: Must be a cursor of this list.',
    });
  });

  it('show an account its own rows, even with the cursor of another account', async () => {
    const { token } = await makeRows();
    const rival = await server.createMerchantAccount();
    const { edges } = await list(server, { first: 1 }, token);

    expect((await list(server, { after: edges[0]?.cursor ?? null }, rival.token)).nodes).toEqual([]);
  });
});
