import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nowMs, serve } from './child.ts';

// A process that answers every request with 200 at once and records the arrivals. Its tasks are open, await (a number
// of distinct requests), arrivals and reset.

/** First arrivals by path and webhook-id. */
export type Arrivals = ReadonlyMap<string, number>;

/** The arrivals since the last reset. */
export type Received = { readonly firstAt: number; readonly lastAt: number; readonly requests: number };

let arrivals = new Map<string, number>();
let received: Received = { firstAt: 0, lastAt: 0, requests: 0 };
let goal = { count: Infinity, reached: (): void => undefined };

const server = createServer((incoming, response) => {
  const at = nowMs();
  incoming.resume();
  incoming.once('end', () => {
    response.writeHead(200, { 'content-length': 0 }).end();
    const key = `${incoming.url} ${String(incoming.headers['webhook-id'])}`;
    if (!arrivals.has(key)) arrivals.set(key, at);
    received = { firstAt: received.firstAt || at, lastAt: at, requests: received.requests + 1 };
    if (arrivals.size >= goal.count) goal.reached();
  });
});
// A kept connection stays open between rounds.
server.keepAliveTimeout = 600_000;

serve({
  open: () =>
    new Promise<string>((resolve) =>
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      ),
    ),
  await: (count: number) =>
    new Promise<Received>((resolve) => {
      goal = { count, reached: () => resolve(received) };
      if (arrivals.size >= count) goal.reached();
    }),
  arrivals: () => arrivals,
  reset: () => {
    arrivals = new Map();
    received = { firstAt: 0, lastAt: 0, requests: 0 };
    goal = { count: Infinity, reached: () => undefined };
  },
});
