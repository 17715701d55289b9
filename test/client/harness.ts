import WebSocket from 'ws';
import { subscribeToEvents, type FeedEvent, type SubscribeOptions } from '../../src/client/index.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from '../../src/modules/accounts/index.ts';
import { startRelay } from '../../src/modules/events/index.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

/** A server with a relay, and consumers of its feed that use the client. */
export type ClientHarness = {
  readonly server: TestServer;
  /** Commits events named `test.<from>` to `test.<from + count - 1>`, in one statement. */
  record(count: number, from?: number): Promise<void>;
  /** Follows the feed of the server's merchant account. */
  follow(options?: Partial<SubscribeOptions>): AsyncGenerator<FeedEvent, void>;
  stop(): Promise<void>;
};

export async function startClientHarness(options: TestServerOptions = {}): Promise<ClientHarness> {
  const server = await startTestServer(options);
  const relay = startRelay(server.app);
  return {
    server,
    record: (count, from = 1) => recordMany(server.app.db, count, from),
    follow: (given = {}) =>
      subscribeToEvents({
        url: `${server.url}/graphql`,
        token: () => server.mint(),
        webSocketImpl: WebSocket,
        retry: { firstMs: 5, mostMs: 50 },
        ...given,
      }),
    stop: async () => {
      await relay.stop();
      await server.stop();
    },
  };
}

/** Commits such events of the merchant account `default`, in one statement. */
export async function recordMany(db: Db, count: number, from: number): Promise<void> {
  await db.query({
    name: 'record_many',
    text: `INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
        SELECT $1, gen_random_uuid(), 'test.' || nth, 'test', 't' || nth, $4 || nth || '"}', now()
        FROM generate_series($2::int, $3::int) nth ORDER BY nth`,
    values: [DEFAULT_MERCHANT_ACCOUNT, from, from + count - 1, '{"type":"event","name":"test.'],
  });
}

/** Takes the next so many events. */
export async function take(events: AsyncIterator<FeedEvent, void>, count: number): Promise<FeedEvent[]> {
  const taken: FeedEvent[] = [];
  while (taken.length < count) {
    const { done, value } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Watches sockets for the answer about the head of the feed. A client without a cursor misses no event after it. */
export function watchHead(): { readonly webSocketImpl: typeof WebSocket; readonly head: Promise<undefined> } {
  const head = Promise.withResolvers<undefined>();
  class Watched extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol);
      this.on('message', (bytes: Buffer) => bytes.includes('"head"') && head.resolve(undefined));
    }
  }
  return { webSocketImpl: Watched as typeof WebSocket, head: head.promise };
}

export const numbers = (from: number, until: number): number[] =>
  Array.from({ length: until - from + 1 }, (_, index) => from + index);

export const sequencesOf = (events: readonly FeedEvent[]): number[] => events.map(({ sequence }) => sequence);
