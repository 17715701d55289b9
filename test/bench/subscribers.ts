import { once } from 'node:events';
import WebSocket from 'ws';
import { nowMs, serve } from './child.ts';
import { openGraphqlSocket } from './graphql-socket.ts';

// A process of many websocket clients that count their messages. Its tasks are subscribe, connect, await, arrivals
// and reset.

/** The messages since the last reset, at all sockets together. */
export type Counted = { readonly firstAt: number; readonly lastAt: number; readonly messages: number };

/** Ids of events and their arrival times. Both lists have the same order. */
export type EventArrivals = { readonly ids: readonly string[]; readonly times: readonly number[] };

export type Subscribing = {
  readonly url: string;
  /** One token for each merchant account. */
  readonly tokens: readonly string[];
  readonly socketsEach: number;
};

let messages = 0;
let firstAt = 0;
let goal: { readonly count: number; readonly reached: (counted: Counted) => void } = {
  count: Infinity,
  reached: () => undefined,
};
let arrivals: { readonly ids: string[]; readonly times: number[] } | null = null;

function take(data: Buffer): void {
  messages += 1;
  if (messages === 1) firstAt = nowMs();
  if (arrivals) {
    const from = data.indexOf(BEFORE_ID) + BEFORE_ID.length;
    arrivals.ids.push(data.toString('latin1', from, from + 36));
    arrivals.times.push(nowMs());
  }
  if (messages === goal.count) goal.reached({ firstAt, lastAt: nowMs(), messages });
}

/** The subscription of live consumers: the event, and the cursor to continue from. */
const DOCUMENT = 'subscription { events { id name cursor payload } }';
const BEFORE_ID = '"events":{"id":"';

async function subscribe(url: string, token: string): Promise<void> {
  const socket = await openGraphqlSocket(url, token);
  socket.on('message', take);
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: DOCUMENT } }));
}

serve({
  subscribe: async ({ url, tokens, socketsEach }: Subscribing) => {
    for (const token of tokens)
      await Promise.all(Array.from({ length: socketsEach }, () => subscribe(url, token)));
  },
  connect: async ({ url, count }: { readonly url: string; readonly count: number }) => {
    for (let nth = 0; nth < count; nth += 1) {
      const socket = new WebSocket(url, { perMessageDeflate: false });
      await once(socket, 'open');
      socket.on('message', take);
    }
  },
  await: (count: number) =>
    new Promise<Counted>((resolve) => {
      goal = { count, reached: resolve };
      if (messages >= count) resolve({ firstAt, lastAt: nowMs(), messages });
    }),
  count: () => messages,
  record: () => {
    arrivals = { ids: [], times: [] };
  },
  arrivals: (): EventArrivals => arrivals ?? { ids: [], times: [] },
  reset: () => {
    messages = 0;
    goal = { count: Infinity, reached: () => undefined };
  },
});
