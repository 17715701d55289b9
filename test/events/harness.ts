import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Viewer } from '../../src/app.ts';
import { createApp } from '../../src/main.ts';
import { createWebhookEndpoint, readFeed, type FeedEvent } from '../../src/modules/events/index.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import type { Db, Tx } from '../../src/platform/database/db.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { settingsOf } from '../support/behind-pooler.ts';
import { openKept } from '../support/kept-connections.ts';
import { createTestDatabase } from '../support/database.ts';
import { recordTestEvent } from '../support/record-test-event.ts';

export { until } from '../support/until.ts';

/** The events module on a separate database. Background work runs only when a test starts the work. */
export type EventsHarness = {
  readonly app: App;
  readonly url: string;
  /** Creates an app with separate connections, as in another process. */
  another(): Promise<App>;
  /** Creates a merchant account and returns its viewer. */
  viewer(): Promise<Viewer>;
  /** Commits one event for each name. */
  record(viewer: Viewer, ...names: readonly string[]): Promise<void>;
  /** Reads the whole feed of a merchant account, page by page. */
  feed(viewer: Viewer): Promise<readonly FeedEvent[]>;
  /** Creates an endpoint for the viewer's events, with its secret. */
  endpoint(
    viewer: Viewer,
    url: string,
    eventNames?: readonly string[],
  ): Promise<{ readonly id: string; readonly secret: string }>;
  stop(): Promise<void>;
};

export async function startEvents(overrides: Partial<App> = {}): Promise<EventsHarness> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-events-'));
  const settings = { ...settingsOf(database.url), PAYGRAPH_DATA_DIR: folder, LOG_LEVEL: 'silent' };
  const wired = [await createApp(parseConfig(settings), overrides, openKept)];
  const app = wired[0]?.app as App;
  return {
    app,
    url: database.url,
    another: async () => {
      const one = await createApp(parseConfig(settings), overrides, openKept);
      wired.push(one);
      return one.app;
    },
    viewer: () => newViewer(app),
    record: async (viewer, ...names) => {
      for (const name of names) await app.db.transaction((tx) => recordNamed(app, tx, viewer, name));
    },
    feed: (viewer) => wholeFeed(app, viewer),
    endpoint: async (viewer, url, eventNames = []) => {
      const created = await createWebhookEndpoint(app, viewer, { url, eventNames }, null);
      if (!created.ok) throw new Error(JSON.stringify(created.refusals));
      return { id: created.value.webhookEndpoint.id, secret: created.value.secret ?? '' };
    },
    stop: async () => {
      for (const one of wired) await one.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Writes an event in a transaction. By default its target is a transaction with a random id. */
export async function recordNamed(
  app: App,
  tx: Tx,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  name: string,
  targetId = systemIds.uuid(),
): Promise<void> {
  await recordTestEvent(tx, {
    merchantAccountId: viewer.merchantAccountId,
    id: app.ids.uuid(),
    name,
    createdAt: app.clock.now(),
    production: false,
    target: { type: 'transaction', id: targetId, status: 'authorization_succeeded' },
  });
}

/** Opens a separate connection pool for long transactions. */
export const openSideDb = (url: string): Db => openKept({ url, connectionMax: 12, applicationName: 'side' });

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function newViewer(app: App): Promise<Viewer> {
  const merchantAccountId = `account-${systemIds.random(6).toString('hex')}`;
  const now = app.clock.now();
  await app.db.prisma.merchantAccount.create({
    data: { id: merchantAccountId, displayName: 'Account', createdAt: now, updatedAt: now },
  });
  return {
    merchantAccountId,
    scopes: ['*.read', '*.write'],
    apiKeyPairId: systemIds.uuid(),
    reachableMerchantAccountIds: [],
    tokenExpiresAt: new Date('2100-01-01T00:00:00Z'),
  };
}

async function wholeFeed(app: App, viewer: Viewer): Promise<readonly FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (;;) {
    const page = await readFeed(app, viewer, { first: 100, after: events.at(-1)?.cursor });
    if (!page.ok) throw new Error(JSON.stringify(page.refusals));
    events.push(...page.value.items);
    if (!page.value.hasNextPage) return events;
  }
}
