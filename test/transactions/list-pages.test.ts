import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '../../src/kernel/page.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { list, refusalOf } from './lists.ts';
import { describeWalks, makeRows, SORTS, walk } from './page-walks.ts';
import { minute } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('pages of transactions', () => {
  // list-pages.long.test.ts walks in every order.
  describeWalks(() => server, ['CREATED_AT_DESC', 'AMOUNT_ASC']);

  it('sorted by the oldest change first, return a changed row again and miss none', async () => {
    const { id, token, ids } = await makeRows(server);
    let moved = 0;
    const between = () =>
      server.app.db.prisma.transaction.updateMany({
        where: { merchantAccountId: id, id: ids[moved] ?? '' },
        data: { updatedAt: minute(100 + moved++) },
      });

    const found = await walk(server, token, { sort: 'UPDATED_AT_ASC', direction: 'forward', between });

    expect(ids.filter((each) => !found.includes(each))).toEqual([]);
  });

  it.each(SORTS)('refuse the cursor of another sort than %s', async (sort) => {
    const { token } = await makeRows(server);
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
    const { token } = await makeRows(server);
    const rival = await server.createMerchantAccount();
    const { edges } = await list(server, { first: 1 }, token);

    expect((await list(server, { after: edges[0]?.cursor ?? null }, rival.token)).nodes).toEqual([]);
  });
});
