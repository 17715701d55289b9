import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Viewer } from '../../src/app.ts';
import { encodeCursor } from '../../src/kernel/page.ts';
import { createApp, type WiredApp } from '../../src/main.ts';
import {
  oldestWaitingEvent,
  readFeed,
  startRelay,
  subscribeEvents,
  type FeedEvent,
} from '../../src/modules/events/index.ts';
import { onServer } from '../support/database.ts';
import { recordNamed, startEvents, until, type EventsHarness } from './harness.ts';

// A backup is taken after three events. Three more are written and lost, because the backup is restored. The restored
// database then gets five new events.

let harness: EventsHarness;
let viewer: Viewer;
let wired: WiredApp;
let restored: App;
let before: readonly FeedEvent[];
let after: readonly FeedEvent[];
let server: string;
let backup: string;

async function write(app: App, ...names: readonly string[]): Promise<void> {
  const relay = startRelay(app);
  for (const name of names) await app.db.transaction((tx) => recordNamed(app, tx, viewer, name));
  relay.poke();
  await until(async () => (await oldestWaitingEvent(app)) === null, 'the relay');
  await relay.stop();
}

async function feedOf(app: App): Promise<readonly FeedEvent[]> {
  const page = await readFeed(app, viewer, { first: 100 });
  if (!page.ok) throw new Error(JSON.stringify(page.refusals));
  return page.value.items;
}

beforeAll(async () => {
  harness = await startEvents();
  viewer = await harness.viewer();
  await write(harness.app, 'test.a', 'test.b', 'test.c');
  const url = new URL(harness.url);
  const name = url.pathname.slice(1);
  backup = `${name}_backup`;
  url.pathname = '/postgres';
  server = url.href;
  await onServer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  await onServer(server, `CREATE DATABASE ${backup} TEMPLATE ${name}`);
  await write(harness.app, 'test.lost1', 'test.lost2', 'test.lost3');
  before = await feedOf(harness.app);
  url.pathname = `/${backup}`;
  wired = await createApp({ ...harness.app.config, DATABASE_URL: url.href });
  restored = wired.app;
  await write(restored, 'test.d', 'test.e', 'test.f', 'test.g', 'test.h');
  after = await feedOf(restored);
});
afterAll(async () => {
  await wired.close();
  await onServer(server, `DROP DATABASE ${backup} WITH (FORCE)`);
  await harness.stop();
});

const refusalOf = async (cursor: string | undefined) => {
  const page = await readFeed(restored, viewer, { first: 100, after: cursor });
  const subscription = await subscribeEvents(restored, viewer, { after: cursor });
  if (subscription.ok) await subscription.value.return();
  expect(subscription.ok).toBe(page.ok);
  if (page.ok) return null;
  expect(!subscription.ok && subscription.refusals).toEqual(page.refusals);
  return page.refusals[0];
};

describe('after a restore', () => {
  it('the sequences of the lost events belong to others', () => {
    expect(before.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
    expect(after.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
    expect(after.slice(0, 3).map(({ id }) => id)).toEqual(before.slice(0, 3).map(({ id }) => id));
    expect(after[3]?.id).not.toBe(before[3]?.id);
  });

  it.each([0, 1, 2])('a cursor after event %d of the backup goes on without a gap', async (index) => {
    const cursor = before[index]?.cursor;
    expect(await refusalOf(cursor)).toBeNull();
    const page = await readFeed(restored, viewer, { first: 100, after: cursor });
    expect(page.ok && page.value.items.map(({ id }) => id)).toEqual(
      after.slice(index + 1).map(({ id }) => id),
    );
  });

  it.each([3, 4, 5])(
    'a cursor after the lost event %d is refused, with a place that misses nothing',
    async (index) => {
      const refusal = await refusalOf(before[index]?.cursor);
      expect(refusal).toMatchObject({ kind: 'FeedRestored' });
      const continueCursor = refusal && 'continueCursor' in refusal ? refusal.continueCursor : '';
      const page = await readFeed(restored, viewer, { first: 100, after: continueCursor });
      const ids = page.ok ? page.value.items.map(({ id }) => id) : [];
      expect(ids).toEqual(after.slice(3).map(({ id }) => id));
    },
  );

  it('the head of the lost feed is refused, too', async () => {
    const page = await readFeed(harness.app, viewer, { first: 1 });
    const head = page.ok ? page.value.head : '';
    expect(head).toBe(before[5]?.cursor);
    expect(await refusalOf(head)).toMatchObject({ kind: 'FeedRestored' });
  });

  it('a cursor of an earlier version, which names no event, still works', async () => {
    const { merchantAccountId } = viewer;
    expect(await refusalOf(encodeCursor(`feed.${merchantAccountId}.5`))).toBeNull();
    expect(await refusalOf(encodeCursor(`feed.${merchantAccountId}.9`))).toEqual({ kind: 'CursorAhead' });
  });

  it('a cursor with a changed event, or of another merchant account, is refused', async () => {
    const { merchantAccountId } = viewer;
    const strange = '0'.repeat(32);
    expect(await refusalOf(encodeCursor(`feed.${merchantAccountId}.2.${strange}`))).toMatchObject({
      kind: 'FeedRestored',
    });
    for (const key of [
      `feed.other.2.${strange}`,
      `feed.${merchantAccountId}.2.${strange}0`,
      `feed.${merchantAccountId}.02`,
    ])
      expect(await refusalOf(encodeCursor(key))).toMatchObject({ kind: 'InvalidInput' });
  });
});
