import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App, Viewer } from '../../src/app.ts';
import type { PageRequest } from '../../src/kernel/page.ts';
import {
  createPaymentService,
  deletePaymentService,
  findPaymentServices,
  listPaymentServices,
  updatePaymentService,
  verifyPaymentService,
} from '../../src/modules/payment-services/index.ts';
import type { ListFilter } from '../../src/modules/payment-services/store.ts';
import type { LineOrWhole } from '../../src/platform/database/column-set.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { insertServices } from '../transactions/rows.ts';
import { CARDS } from './harness.ts';
import { viewerOf } from './viewer.ts';

// The clock stands still unless a test moves it, so that no line is read again because of its age.

let nowMs = Date.now();
let server: TestServer;
let app: App;

beforeAll(async () => {
  server = await startTestServer({ clock: { ...systemClock, now: () => new Date(nowMs) } });
  ({ app } = server);
});

afterAll(() => server.stop());

/** Creates a merchant account, and returns its viewer. */
const newViewer = async (): Promise<Viewer> => viewerOf((await server.createMerchantAccount()).id);

/** Creates a service, and returns its id. */
async function create(viewer: Viewer): Promise<string> {
  const created = await createPaymentService(app, viewer, CARDS, null);
  if (!created.ok) throw new Error(JSON.stringify(created.refusals));
  return created.value.paymentService.id;
}

const FIRST: PageRequest = { direction: 'forward', limit: 20, cursor: null };

async function list(
  viewer: Viewer,
  page: PageRequest = FIRST,
  { columns = 'line', ...asked }: Partial<ListFilter> & { readonly columns?: LineOrWhole } = {},
) {
  const found = await listPaymentServices(app, viewer, page, {
    deleted: false,
    method: null,
    ...asked,
    columns,
  });
  if (!found.ok) throw new Error(JSON.stringify(found.refusals));
  return found.value;
}

const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }): string[] =>
  items.map(({ id }) => id);

/** Reads the line of a service. */
const lineOf = async (viewer: Viewer, id: string) =>
  (await findPaymentServices(app, viewer, [id], 'line'))[0] ?? null;

type Asking = { readonly page: PageRequest; readonly asked: ListFilter };

/** Returns requests of every kind for these services. Cursors are the ids of the first, the middle and the last, and of none. */
function requestsFor(ids: readonly string[]): readonly Asking[] {
  const middle = ids[Math.floor(ids.length / 2)] ?? app.ids.uuid();
  const cursors = [null, ids[0] ?? middle, middle.toUpperCase(), ids.at(-1) ?? middle];
  const pages = (['forward', 'backward'] as const).flatMap((direction) =>
    [1, 3, 100].flatMap((limit) => cursors.map((cursor) => ({ direction, limit, cursor }))),
  );
  const filters = [null, 'ideal', 'card', 'other'].flatMap((method) =>
    [false, true].map((deleted) => ({ method, deleted })),
  );
  return pages.flatMap((page) => filters.map((asked) => ({ page, asked })));
}

describe('lines of payment services in memory', () => {
  test('show each change of this process at once', async () => {
    const viewer = await newViewer();
    expect(idsOf(await list(viewer))).toEqual([]);
    const [first, second] = [await create(viewer), await create(viewer)];
    expect(idsOf(await list(viewer))).toEqual([second, first]);

    await updatePaymentService(app, viewer, first, { displayName: 'New', active: false });
    expect(await lineOf(viewer, first)).toMatchObject({ displayName: 'New', active: false });
    const verified = await verifyPaymentService(app, viewer, first);
    const updatedAt = verified.ok && verified.value.updatedAt;
    expect(await lineOf(viewer, first)).toMatchObject({ updatedAt });
    await deletePaymentService(app, viewer, first);
    expect(await lineOf(viewer, first)).toMatchObject({ isDeleted: true });
    expect(idsOf(await list(viewer))).toEqual([second]);
    expect(idsOf(await list(viewer, FIRST, { deleted: true }))).toEqual([first]);
  });

  test('show a deletion by another process when it is repeated here', async () => {
    const viewer = await newViewer();
    const id = await create(viewer);
    expect(idsOf(await list(viewer))).toEqual([id]);
    const where = { merchantAccountId: viewer.merchantAccountId, id };
    await app.db.prisma.paymentService.updateMany({ where, data: { deletedAt: new Date(nowMs) } });

    expect(await deletePaymentService(app, viewer, id)).toMatchObject({ ok: true });
    expect(idsOf(await list(viewer))).toEqual([]);
  });

  test('are never older than a change that ended before the read began', async () => {
    const viewer = await newViewer();
    const id = await create(viewer);
    const CHANGES = 60;
    let [changes, reads, isOver] = [0, 0, false];
    const change = async (): Promise<void> => {
      for (let next = 1; next <= CHANGES || reads <= CHANGES; next += 1) {
        await updatePaymentService(app, viewer, id, { position: next });
        changes = next;
      }
      isOver = true;
    };
    const read = async (): Promise<void> => {
      while (!isOver) {
        const least = changes;
        const [line, { items }] = await Promise.all([lineOf(viewer, id), list(viewer)]);
        expect(Math.min(line?.position ?? 0, items[0]?.position ?? 0)).toBeGreaterThanOrEqual(least);
        reads += 1;
        // A read from memory alone would never let the change go on.
        await setImmediate();
      }
    };
    await updatePaymentService(app, viewer, id, { position: 0 });
    await Promise.all([change(), ...Array.from({ length: 6 }, read)]);

    expect(reads).toBeGreaterThan(CHANGES);
  });

  test('are read again after a second, without any notification', async () => {
    const viewer = await newViewer();
    const id = await create(viewer);
    expect(await lineOf(viewer, id)).toMatchObject({ displayName: 'Cards' });
    const where = { merchantAccountId: viewer.merchantAccountId, id };
    await app.db.prisma.paymentService.updateMany({ where, data: { displayName: 'By hand' } });

    expect(await lineOf(viewer, id)).toMatchObject({ displayName: 'Cards' });
    nowMs += 1_000;
    expect(await lineOf(viewer, id)).toMatchObject({ displayName: 'By hand' });
  });

  test('do not answer the query of one payment service, which shows the row', async () => {
    const { body } = await server.graphql<{ made: { paymentService: { id: string } } }>(
      'mutation ($input: CreatePaymentServiceInput!) { made: createPaymentService(input: $input) { paymentService { id } } }',
      { input: CARDS },
    );
    const id = body.data?.made.paymentService.id ?? '';
    const read = () =>
      server.graphql(
        'query ($id: ID!) { paymentService(id: $id) { displayName } paymentServices { nodes { displayName } } }',
        { id },
      );
    const one = { displayName: 'Cards' };
    expect((await read()).body.data).toEqual({ paymentService: one, paymentServices: { nodes: [one] } });
    const where = { merchantAccountId: server.merchantAccountId, id };
    await app.db.prisma.paymentService.updateMany({ where, data: { displayName: 'By hand' } });

    expect((await read()).body.data).toEqual({
      paymentService: { displayName: 'By hand' },
      paymentServices: { nodes: [one] },
    });
  });

  test('stay within the merchant account', async () => {
    const [one, other] = [await newViewer(), await newViewer()];
    const id = await create(one);

    expect(await lineOf(one, id)).toMatchObject({ id });
    expect(await lineOf(other, id)).toBeNull();
    expect(idsOf(await list(other))).toEqual([]);
  });

  test.each([0, 1, 7, 100, 101])('make the same pages as the rows of %i services', async (count) => {
    const viewer = await newViewer();
    const account = viewer.merchantAccountId;
    await insertServices(server, account, count);
    const all = await app.db.prisma.paymentService.findMany({
      where: { merchantAccountId: account },
      orderBy: { id: 'asc' },
    });
    const ids = all.map(({ id }) => id);
    for (const [place, id] of ids.entries()) {
      const data = {
        ...(place % 3 === 0 && { deletedAt: new Date() }),
        ...(place % 2 === 0 && { method: 'ideal' }),
      };
      await app.db.prisma.paymentService.updateMany({ where: { merchantAccountId: account, id }, data });
    }

    for (const { page, asked } of requestsFor(ids)) {
      const [lines, rows] = await Promise.all([
        list(viewer, page, asked),
        list(viewer, page, { ...asked, columns: 'whole' }),
      ]);
      expect({ ...lines, items: idsOf(lines) }).toEqual({ ...rows, items: idsOf(rows) });
    }
    const unknown = app.ids.uuid();
    const asked = [...ids.map((id) => id.toUpperCase()), unknown, 'not an id'].toReversed();
    const found = await findPaymentServices(app, viewer, asked, 'line');
    expect(found.map((line) => line?.id ?? null)).toEqual(
      asked.map((id) => (ids.includes(id.toLowerCase()) ? id.toLowerCase() : null)),
    );
  });
});
