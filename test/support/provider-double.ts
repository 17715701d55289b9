import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the double of a provider. The path has its query. The names of headers are in lower case. */
export type DoubleRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The answer of a double. Null means that the connection ends without an answer. */
export type DoubleResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} | null;

/**
 * The fault of a call:
 *
 * - The request is lost before the work, or the answer after the work.
 * - The work is done and the answer waits until `release`. The key of the request stays in use.
 * - The answer is a server error, before or after the work.
 * - The provider has too many requests, with or without a hint of the time to wait.
 * - The provider locks an object for another request, and does nothing.
 * - A page of a proxy says that the provider is under maintenance.
 * - The answer ends in the middle, names an unknown word, or is about other money.
 * - The provider refuses the credentials, the permission, or a token that expired.
 */
export type DoubleFault =
  | 'lose_request'
  | 'lose_answer'
  | 'hang'
  | 'error_before_work'
  | 'error_after_work'
  | 'rate_limited'
  | 'rate_limited_with_hint'
  | 'lock_timeout'
  | 'maintenance'
  | 'truncated'
  | 'unknown_word'
  | 'other_currency'
  | 'other_amount'
  | 'unauthorized'
  | 'forbidden'
  | 'expired_token';

/** The calls that a fault is for, such as `POST /v1/refunds`. Matches the beginning of the method and the path. */
export type FaultTarget = string | RegExp;

export type Faults = {
  /** Orders faults for the next calls, one each. With a target, only its calls use a fault up. */
  readonly failNext: (faults: readonly DoubleFault[], target?: FaultTarget) => void;
  /** Cancels the faults that are left. */
  readonly behave: () => void;
  /** Takes the fault of a call, or null. */
  take(request: DoubleRequest): DoubleFault | null;
  /** Resolves when `release` is called next. */
  released(): Promise<void>;
  /** Lets all hanging calls answer. */
  readonly release: () => void;
};

export function createFaults(): Faults {
  const ordered: { readonly fault: DoubleFault; readonly target: FaultTarget }[] = [];
  let waiting: (() => void)[] = [];
  return {
    failNext: (faults, target = '') => void ordered.push(...faults.map((fault) => ({ fault, target }))),
    behave: () => void (ordered.length = 0),
    take: ({ method, path }) => {
      const call = `${method} ${path}`;
      const index = ordered.findIndex(({ target }) =>
        typeof target === 'string' ? call.startsWith(target) : target.test(call),
      );
      return index < 0 ? null : (ordered.splice(index, 1)[0]?.fault ?? null);
    },
    released: () => new Promise((resolve) => void waiting.push(resolve)),
    release: () => {
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  };
}

/** A signed webhook that a provider owes, with the bytes that its signature is over. */
export type OwedWebhook = {
  readonly id: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Posts webhooks one after the other. Returns the statuses of the answers, and 0 for a lost connection. */
export async function postWebhooks(url: string, webhooks: readonly OwedWebhook[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { headers, body } of webhooks) {
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    await answer?.arrayBuffer();
    statuses.push(answer?.status ?? 0);
  }
  return statuses;
}

export type ListeningDouble = { readonly url: string; close(): Promise<void> };

/** Serves a double over HTTP on 127.0.0.1. */
export async function listenAsDouble(
  handle: (request: DoubleRequest) => Promise<DoubleResponse>,
): Promise<ListeningDouble> {
  const server = createServer((incoming, outgoing) => void serve(handle, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  handle: (request: DoubleRequest) => Promise<DoubleResponse>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const answer = await read(incoming)
    .then(handle)
    .catch((error: unknown) => ({ status: 599, headers: {}, body: `The double failed: ${String(error)}` }));
  if (answer === null) return void outgoing.destroy();
  // No connection is used twice. A lost answer stays lost, and no client repeats the request on a new connection.
  outgoing.writeHead(answer.status, { ...answer.headers, connection: 'close' }).end(answer.body);
}

async function read(incoming: IncomingMessage): Promise<DoubleRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  // The bytes of a file survive in latin1, which has one character for each byte.
  const encoding = headers['content-type']?.startsWith('multipart/') ? 'latin1' : 'utf8';
  const body = Buffer.concat(chunks).toString(encoding);
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers, body };
}
