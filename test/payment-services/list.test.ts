import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCursor } from '../../src/kernel/page.ts';
import { startHarness, type Harness, type Input } from './harness.ts';

let harness: Harness;
let alone: Harness;
/** Ids, newest first. */
let ids: string[];

beforeAll(async () => {
  harness = await startHarness();
  alone = await harness.rival();
  ids = [];
  for (let count = 0; count < 25; count++) ids.unshift((await alone.made()).id);
});

afterAll(() => harness.stop());

/** Returns the error of a refused query. */
async function refusal(page: Input): Promise<unknown> {
  return await alone.ids(page).then(
    () => 'answered',
    (error: unknown) => (JSON.parse((error as Error).message) as { extensions: unknown }[])[0]?.extensions,
  );
}

describe('paymentServices', () => {
  test('are newest first, 20 at a time', async () => {
    const page = await alone.list();

    expect(page.nodes.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect(page.edges.map(({ node }) => node.id)).toEqual(ids.slice(0, 20));
    expect(page.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: page.edges[0]?.cursor,
      endCursor: page.edges[19]?.cursor,
    });
  });

  test('are read page by page forward and backward without a gap', async () => {
    const forward: string[] = [];
    let after: string | null = null;
    do {
      const { nodes, pageInfo } = await alone.list({ first: 7, after });
      forward.push(...nodes.map(({ id }) => id));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    const backward: string[] = [];
    let before: string | null = null;
    do {
      const { nodes, pageInfo } = await alone.list({ last: 7, before });
      backward.unshift(...nodes.map(({ id }) => id));
      before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
    } while (before !== null);

    expect(forward).toEqual(ids);
    expect(backward).toEqual(ids);
  });

  test('come 1 to 100 at a time', async () => {
    expect(await alone.ids({ first: 1 })).toEqual(ids.slice(0, 1));
    expect(await alone.ids({ last: 2 })).toEqual(ids.slice(-2));
    expect(await alone.ids({ first: 100 })).toEqual(ids);
    for (const first of [0, 101, -1])
      expect(await refusal({ first })).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('are filtered by method', async () => {
    expect(await alone.ids({ method: 'card', first: 100 })).toEqual(ids);
    expect(await alone.ids({ method: null, first: 100 })).toEqual(ids);
    expect(await alone.ids({ method: 'ideal' })).toEqual([]);
    expect(await refusal({ method: '\u0000' })).toMatchObject({
      code: 'INVALID_INPUT',
      refusals: [{ path: ['method'] }],
    });
  });

  test('are the deleted ones instead on request', async () => {
    const rival = await harness.rival();
    const [kept, gone] = [await rival.made(), await rival.made()];
    await rival.delete(gone.id);

    expect((await rival.list()).nodes.map(({ id }) => id)).toEqual([kept.id]);
    expect((await rival.list({ deleted: true })).nodes.map(({ id }) => id)).toEqual([gone.id]);
    expect((await rival.list({ deleted: true, method: 'ideal' })).nodes).toEqual([]);
  });

  test.each([['nonsense'], [encodeCursor('not-a-uuid')], [encodeCursor('\u0000')]])(
    'refuse a cursor from elsewhere (%#)',
    async (cursor) => {
      expect(await refusal({ after: cursor })).toMatchObject({ refusals: [{ path: ['after'] }] });
      expect(await refusal({ before: cursor })).toMatchObject({ refusals: [{ path: ['before'] }] });
    },
  );

  test('are those of the merchant account, even with the cursor of another', async () => {
    const rival = await harness.rival();
    const { edges } = await alone.list({ first: 1 });

    expect((await rival.list()).nodes).toEqual([]);
    expect((await rival.list({ after: edges[0]?.cursor })).nodes).toEqual([]);
  });
});
