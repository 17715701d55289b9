import { expect, it } from '@jest/globals';
import type { TestServer } from '../support/server.ts';
import { list, type ListArguments } from './lists.ts';
import { insertRow, insertRows, minute, type Row } from './rows.ts';

export const SORTS = ['CREATED_AT', 'UPDATED_AT', 'AMOUNT'].flatMap((key) => [`${key}_ASC`, `${key}_DESC`]);
const FIRST = 20;

/** Few values, so that most rows share theirs. Each value orders the rows differently. */
const valuesOf = (number: number): Row => ({
  createdAt: minute(number % 3),
  updatedAt: minute((number * 5) % 4),
  amount: (number * 3) % 5,
  metadata: { walk: 'yes' },
});

/** Creates a merchant account with rows numbered from 0. Their ids sort in the same order. */
export async function makeRows(
  server: TestServer,
): Promise<{ id: string; token: string; ids: readonly string[] }> {
  const account = await server.createMerchantAccount();
  const rows = Array.from({ length: FIRST }, (_, index) => ({ number: index * 10, ...valuesOf(index) }));
  return { ...account, ids: await insertRows(server, account.id, rows) };
}

/** Reads page after page, forward or backward, and calls a function between pages. */
export async function walk(
  server: TestServer,
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
const walksBy = (sorts: readonly string[]) =>
  sorts.flatMap((sort) =>
    Object.entries(FILTERS).flatMap(([what, filter]) =>
      ['forward', 'backward'].map((direction) => [what, sort, direction, filter] as const),
    ),
  );

/** Defines the tests of pages in these orders. */
export function describeWalks(server: () => TestServer, sorts: readonly string[]): void {
  it.each(walksBy(sorts))(
    'return every row once while new ones are created: %s by %s, %s',
    async (_what, sort, direction, filter) => {
      const { id, token, ids } = await makeRows(server());
      let made = 0;
      const between = () => insertRow(server(), id, made * 10 + 5, valuesOf(made++ * 7));

      const found = await walk(server(), token, { sort, filter, direction, between });

      expect(new Set(found).size).toBe(found.length);
      expect(ids.filter((each) => !found.includes(each))).toEqual([]);
      const { nodes } = await list(server(), { sort, filter, first: 100 }, token);
      expect(found).toEqual(nodes.map((node) => node.id).filter((each) => found.includes(each)));
    },
  );

  it.each(sorts)('are the same in both directions and every page size, by %s', async (sort) => {
    const { token, ids } = await makeRows(server());
    const { nodes, edges, pageInfo } = await list(server(), { sort, first: 100 }, token);
    const whole = nodes.map(({ id }) => id);

    expect(whole.toSorted()).toEqual(ids.toSorted());
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges.at(0)?.cursor,
      endCursor: edges.at(-1)?.cursor,
    });
    for (const [index, { cursor }] of edges.entries()) {
      const after = await list(server(), { sort, first: 100, after: cursor }, token);
      const before = await list(server(), { sort, last: 100, before: cursor }, token);
      expect([...before.nodes, ...nodes.slice(index, index + 1), ...after.nodes].map(({ id }) => id)).toEqual(
        whole,
      );
      expect(after.pageInfo.hasPreviousPage).toBe(true);
    }
  });
}
