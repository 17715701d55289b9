import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { encodeCursor } from '../../src/kernel/page.ts';
import { ok } from '../../src/kernel/result.ts';
import {
  countFeed,
  readFeed,
  readNewest,
  startRelay,
  type FeedArguments,
  type NewestArguments,
  type StartRefusal,
} from '../../src/modules/events/index.ts';
import type { EventTarget } from '../../src/modules/events/feed/store/feed.sql.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { startEvents, until, type EventsHarness } from './harness.ts';

let harness: EventsHarness;
let relay: Loop;
beforeAll(async () => {
  harness = await startEvents();
  relay = startRelay(harness.app);
});
afterAll(async () => {
  await relay.stop();
  await harness.stop();
});

const recorded = async (viewer: Viewer, ...names: readonly string[]): Promise<void> => {
  const before = (await harness.feed(viewer)).length;
  await harness.record(viewer, ...names);
  await until(async () => (await harness.feed(viewer)).length === before + names.length);
};

type Given = FeedArguments & { readonly first?: number; readonly readsAll?: true };

const read = (viewer: Viewer, args: Given = {}) => readFeed(harness.app, viewer, { first: 20, ...args });

async function page(viewer: Viewer, args: Given = {}) {
  const found = await read(viewer, args);
  if (!found.ok) throw new Error(JSON.stringify(found.refusals));
  const { items, hasNextPage, hasPreviousPage, stoppedAt } = found.value;
  return {
    names: items.map(({ name }) => name),
    cursors: items.map(({ cursor }) => cursor),
    hasNextPage,
    hasPreviousPage,
    stoppedAt,
  };
}

describe('the feed', () => {
  it('is read page by page, oldest first, behind a cursor', async () => {
    const viewer = await harness.viewer();
    await recorded(viewer, 'transaction.authorized', 'transaction.captured', 'transaction.voided');

    const first = await page(viewer, { first: 2 });
    const second = await page(viewer, { first: 2, after: first.cursors[1] });
    const end = await page(viewer, { after: second.cursors[0] });

    expect(first).toMatchObject({
      names: ['transaction.authorized', 'transaction.captured'],
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(second).toMatchObject({
      names: ['transaction.voided'],
      hasNextPage: false,
      hasPreviousPage: true,
    });
    expect(end).toMatchObject({ names: [], hasNextPage: false, hasPreviousPage: true });
  });

  it('returns the cursor of its end, whatever the page', async () => {
    const [viewer, stranger] = [await harness.viewer(), await harness.viewer()];
    const headOf = async (
      of: Viewer,
      args?: FeedArguments & { readonly first?: number },
    ): Promise<string> => {
      const found = await read(of, args);
      return found.ok ? found.value.head : JSON.stringify(found.refusals);
    };
    const atFirst = await headOf(viewer);
    await recorded(viewer, 'transaction.authorized', 'transaction.captured', 'transaction.voided');
    const { cursors } = await page(viewer);

    expect(await headOf(viewer)).toBe(cursors[2]);
    expect(await headOf(viewer, { first: 1, types: ['transaction.authorized'] })).toBe(cursors[2]);
    expect((await page(viewer, { after: atFirst })).names).toEqual([
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
    ]);
    expect(await headOf(stranger, { after: atFirst })).toContain('Must be a cursor');
  });

  it('is empty for a merchant account without events', async () => {
    expect(await page(await harness.viewer())).toEqual({
      names: [],
      cursors: [],
      hasNextPage: false,
      hasPreviousPage: false,
      stoppedAt: null,
    });
  });

  it.each([
    [['transaction.captured'], ['transaction.captured']],
    [['transaction.*'], ['transaction.captured', 'transaction.capture-failed']],
    [
      ['refund.*', 'transaction.captured'],
      ['transaction.captured', 'refund.succeeded'],
    ],
    [['recurring.*'], ['recurring.token.created']],
    [
      ['*'],
      ['transaction.captured', 'refund.succeeded', 'transaction.capture-failed', 'recurring.token.created'],
    ],
    [
      [],
      ['transaction.captured', 'refund.succeeded', 'transaction.capture-failed', 'recurring.token.created'],
    ],
    [['payment-link.*'], []],
  ])('filters by %j', async (types, names) => {
    const viewer = await harness.viewer();
    await recorded(
      viewer,
      'transaction.captured',
      'refund.succeeded',
      'transaction.capture-failed',
      'recurring.token.created',
    );

    expect(await page(viewer, { types })).toMatchObject({ names, hasNextPage: false });
  });

  it('finds rare events far apart and knows whether more follow', async () => {
    const viewer = await harness.viewer();
    await harness.app.db.query({
      name: 'many',
      text: MANY,
      values: [viewer.merchantAccountId, harness.app.clock.now()],
    });
    const types = ['gift-card.*'];
    const all = { types, readsAll: true } as const;
    await until(async () => (await page(viewer, { ...all, first: 3 })).names.length === 3);

    const first = await page(viewer, { ...all, first: 2 });
    const second = await page(viewer, { ...all, first: 2, after: first.cursors[1] });
    const short = await page(viewer, { types, first: 3 });
    const empty = await page(viewer, { types: ['dispute.lost'] });

    expect(first).toMatchObject({ names: ['gift-card.created', 'gift-card.updated'], hasNextPage: true });
    expect(second).toMatchObject({ names: ['gift-card.deleted'], hasNextPage: false, stoppedAt: null });
    // A request scans 10,000 events, and leads on from there.
    expect(short).toMatchObject({ names: ['gift-card.created', 'gift-card.updated'], hasNextPage: true });
    expect(await page(viewer, { types, after: short.stoppedAt })).toMatchObject({
      names: ['gift-card.deleted'],
      hasNextPage: false,
      stoppedAt: null,
    });
    expect(empty).toMatchObject({ names: [], hasNextPage: true, stoppedAt: short.stoppedAt });
  });

  it('counts rare events among those that a request scans', async () => {
    const viewer = await harness.viewer();
    await harness.app.db.query({
      name: 'many',
      text: MANY,
      values: [viewer.merchantAccountId, harness.app.clock.now()],
    });
    const types = ['gift-card.*'];
    const all = { types, readsAll: true, first: 3 } as const;
    await until(async () => (await page(viewer, all)).names.length === 3);
    const count = (args: FeedArguments & { readonly target?: EventTarget }, atMost = 100_000) =>
      countFeed(harness.app, viewer, args, atMost);

    const refused = await count({ types });
    const message = refused.ok ? '' : sentenceOf(refused.refusals[0]);
    const [, near] = /reads at most 4,000 events, .* Set after to (\S+) or a later/.exec(message) ?? [];

    expect(refused).toMatchObject({ refusals: [{ kind: 'InvalidInput', path: ['after'] }] });
    expect(await count({ types, after: near })).toEqual(ok(1));
    expect(await count({ types, after: (await page(viewer, all)).cursors[2] })).toEqual(ok(0));
    expect(await count({ types }, 1)).toEqual(ok(1));
    expect(await count({})).toEqual(ok(12_001));
    expect(await count({}, 7)).toEqual(ok(7));
    expect(await count({ types, target: { type: 'test', id: 't' } })).toEqual(ok(3));
    expect(await count({ types, target: { type: 'test', id: 'other' } })).toEqual(ok(0));
  });

  it('refuses cursors that are foreign, malformed or ahead of it', async () => {
    const [viewer, stranger] = [await harness.viewer(), await harness.viewer()];
    await recorded(viewer, 'transaction.authorized');
    await recorded(stranger, 'transaction.authorized', 'transaction.captured');
    const foreign = (await page(stranger)).cursors[0];
    const own = `feed.${viewer.merchantAccountId}`;

    for (const after of [
      foreign,
      '',
      'BEGIN',
      'c1.',
      encodeCursor(harness.app.ids.uuid()),
      encodeCursor(`${own}.01`),
      encodeCursor(`${own}.-1`),
    ]) {
      expect(await read(viewer, { after })).toEqual({
        ok: false,
        refusals: [
          {
            kind: 'InvalidInput',
            path: ['after'],
            message: "Must be a cursor of this merchant account's events.",
          },
        ],
      });
    }
    expect(await read(viewer, { after: encodeCursor(`${own}.2`) })).toEqual({
      ok: false,
      refusals: [{ kind: 'CursorAhead' }],
    });
  });

  it('refuses page sizes and names beyond their limits, and names each', async () => {
    const viewer = await harness.viewer();
    const pathsOf = async (
      args: FeedArguments & { readonly first?: number },
    ): Promise<(readonly string[])[]> => {
      const found = await read(viewer, args);
      return found.ok ? [] : found.refusals.map((refusal) => ('path' in refusal ? refusal.path : []));
    };

    expect(await pathsOf({ first: 0 })).toEqual([['first']]);
    expect(await pathsOf({ first: 101 })).toEqual([['first']]);
    expect(
      await pathsOf({
        types: ['transaction.*', 'transaction', 'a.%', 'A.b', '*.a', 'a.\u0000', `a.${'b'.repeat(100)}`],
      }),
    ).toEqual(['1', '2', '3', '4', '5', '6'].map((index) => ['types', index]));
    expect(await pathsOf({ types: Array.from({ length: 51 }, () => '*') })).toEqual([['types']]);
  });
});

describe('the end of the feed', () => {
  it('is read back page by page, each oldest first', async () => {
    const viewer = await harness.viewer();
    await recorded(viewer, 'transaction.authorized', 'transaction.captured', 'refund.succeeded');

    const newest = await newestPage(viewer, { last: 2 });
    const older = await newestPage(viewer, { last: 2, before: newest.cursors[0] });
    const none = await newestPage(viewer, { last: 2, before: older.cursors[0] });

    const [captured, refunded] = ['transaction.captured', 'refund.succeeded'];
    expect(newest).toMatchObject({ names: [captured, refunded], hasNextPage: false, hasPreviousPage: true });
    expect(older).toMatchObject({
      names: ['transaction.authorized'],
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(none).toMatchObject({ names: [], hasNextPage: true, hasPreviousPage: false });
    expect(await newestPage(viewer, { last: 1, types: ['transaction.*'] })).toMatchObject({
      names: [captured],
      hasPreviousPage: true,
    });
    const target = { type: 'test', id: 'none' };
    expect(await newestPage(viewer, { last: 9, target })).toMatchObject({
      names: [],
      hasPreviousPage: false,
    });
  });

  it('ends a page of rare events before it is full, and leads on', async () => {
    const viewer = await harness.viewer();
    const values = [viewer.merchantAccountId, harness.app.clock.now()];
    await harness.app.db.query({ name: 'many', text: MANY, values });
    await until(async () => (await newestPage(viewer, { last: 1 })).names[0] === 'gift-card.deleted');
    const types = ['gift-card.*'];
    const newest = await newestPage(viewer, { last: 3, types });

    expect(newest).toMatchObject({
      names: ['gift-card.updated', 'gift-card.deleted'],
      hasPreviousPage: true,
    });
    expect(await newestPage(viewer, { last: 3, types, before: newest.stoppedAt })).toMatchObject({
      names: ['gift-card.created'],
      hasPreviousPage: false,
      stoppedAt: null,
    });
  });

  it('refuses a page size beyond its limits, and a cursor of another account', async () => {
    const [viewer, stranger] = [await harness.viewer(), await harness.viewer()];
    await recorded(stranger, 'transaction.captured');
    const [foreign] = (await newestPage(stranger, { last: 1 })).cursors;
    const pathOf = async (args: NewestArguments) => {
      const found = await readNewest(harness.app, viewer, args);
      return found.ok ? [] : found.refusals.map((refusal) => ('path' in refusal ? refusal.path : []));
    };

    expect(await pathOf({ last: 0 })).toEqual([['last']]);
    expect(await pathOf({ last: 101 })).toEqual([['last']]);
    expect(await pathOf({ last: 1, before: foreign })).toEqual([['before']]);
  });
});

async function newestPage(viewer: Viewer, args: NewestArguments) {
  const found = await readNewest(harness.app, viewer, args);
  if (!found.ok) throw new Error(JSON.stringify(found.refusals));
  const { items, hasNextPage, hasPreviousPage, stoppedAt } = found.value;
  const [names, cursors] = [items.map(({ name }) => name), items.map(({ cursor }) => cursor)];
  return { names, cursors, hasNextPage, hasPreviousPage, stoppedAt };
}

/** Inserts 12 001 events at once. Every 6000th has another name. */
const sentenceOf = (refusal: StartRefusal): string => ('message' in refusal ? refusal.message : '');

const MANY = `
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT $1, gen_random_uuid(), CASE n WHEN 1 THEN 'gift-card.created' WHEN 6001 THEN 'gift-card.updated'
      WHEN 12001 THEN 'gift-card.deleted' ELSE 'transaction.captured' END, 'test', 't', '{}', $2
    FROM generate_series(1, 12001) AS n`;
