import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpClient } from '../../src/platform/http-client.ts';

/** A request to the double of a provider. Header names are in lower case. */
export type DoubleRequest = {
  readonly method: string;
  /** Begins with a slash, and includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type DoubleResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A signed webhook that a double owes to the merchant. */
export type DoubleWebhook = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/**
 * The fault of one call:
 *
 * - `lose_request`, `lose_answer`: the connection ends before the work, or after the work.
 * - `hang`, `hang_before_work`: the answer, or the work and the answer, wait for `release`. The key is in use until then.
 * - `error_before_work`, `error_after_work`: the provider's server error.
 * - `rate_limited`, `rate_limited_with_hint`: 429 before the work, the second one with `Retry-After`.
 * - `maintenance`: 503 with a page before the work.
 * - `truncated`: the work is done, and the answer ends in its middle.
 * - `unknown_word`, `other_amount`, `other_currency`: the work is done, and the answer says something else.
 * - `unauthorized`, `forbidden`: 401 or 403 before the work.
 */
export type DoubleFault =
  | 'lose_request'
  | 'lose_answer'
  | 'hang'
  | 'hang_before_work'
  | 'error_before_work'
  | 'error_after_work'
  | 'rate_limited'
  | 'rate_limited_with_hint'
  | 'maintenance'
  | 'truncated'
  | 'unknown_word'
  | 'other_amount'
  | 'other_currency'
  | 'unauthorized'
  | 'forbidden';

/** The words of a provider's faults. The last three change an answer that the provider was about to give. */
export type FaultWords = {
  /** `done`: the answer of the work, null if no work was done. A provider that repeats its errors remembers the error. */
  serverError(request: DoubleRequest, done: DoubleResponse | null): DoubleResponse;
  rateLimited(retryAfterSeconds: number | null): DoubleResponse;
  unauthorized(): DoubleResponse;
  forbidden(): DoubleResponse;
  unknownWord(response: DoubleResponse): DoubleResponse;
  otherAmount(response: DoubleResponse): DoubleResponse;
  otherCurrency(response: DoubleResponse): DoubleResponse;
};

/** A provider in memory, without faults of the network. */
export type DoubleCore = {
  handle(request: DoubleRequest): DoubleResponse;
  /** Marks the key of a request as in use, until the returned function is called. */
  hold(request: DoubleRequest): () => void;
  readonly words: FaultWords;
  /** Paths that no fault meets unless the test names them, such as that of access tokens. */
  readonly spared?: RegExp;
};

/** The line to a provider: its received requests, and the faults that a test orders. */
export type DoubleLine = {
  /** Every received request, in order. */
  readonly calls: readonly DoubleRequest[];
  /** Answers a request. Null if the connection is lost. */
  serve(request: DoubleRequest): Promise<DoubleResponse | null>;
  /** The faults of the next calls, one each. */
  failNext(...faults: readonly DoubleFault[]): void;
  /** The faults of the next calls with such a path, one each. */
  failNextOf(path: RegExp, ...faults: readonly DoubleFault[]): void;
  /** Cancels the remaining faults. */
  behave(): void;
  /** Lets hanging calls go on. */
  release(): void;
};

export function openLine(core: DoubleCore): DoubleLine {
  const calls: DoubleRequest[] = [];
  const ordered: { readonly path: RegExp | null; readonly fault: DoubleFault }[] = [];
  const waiting: (() => void)[] = [];

  const takeFault = ({ path }: DoubleRequest): DoubleFault | null => {
    const meets = (each: RegExp | null): boolean => each?.test(path) ?? core.spared?.test(path) !== true;
    const place = ordered.findIndex((each) => meets(each.path));
    return place === -1 ? null : (ordered.splice(place, 1)[0]?.fault ?? null);
  };
  /** Waits for `release`, during which the key is in use. */
  const held = (request: DoubleRequest, finish: () => DoubleResponse): Promise<DoubleResponse> =>
    new Promise((resolve) => {
      const letGo = core.hold(request);
      waiting.push(() => {
        letGo();
        resolve(finish());
      });
    });
  return {
    calls,
    serve: async (request) => {
      calls.push(request);
      const fault = takeFault(request);
      if (fault === 'hang_before_work') return await held(request, () => core.handle(request));
      if (fault !== 'hang') return answer(core, request, fault);
      const response = core.handle(request);
      return await held(request, () => response);
    },
    failNext: (...faults) => void ordered.push(...faults.map((fault) => ({ path: null, fault }))),
    failNextOf: (path, ...faults) => void ordered.push(...faults.map((fault) => ({ path, fault }))),
    behave: () => void ordered.splice(0),
    release: () => waiting.splice(0).forEach((go) => go()),
  };
}

type PromptFault = Exclude<DoubleFault, 'hang' | 'hang_before_work'>;

function answer(core: DoubleCore, request: DoubleRequest, fault: PromptFault | null): DoubleResponse | null {
  const { words } = core;
  switch (fault) {
    case null:
      return core.handle(request);
    case 'lose_request':
      return null;
    case 'lose_answer':
      core.handle(request);
      return null;
    case 'error_before_work':
      return words.serverError(request, null);
    case 'error_after_work':
      return words.serverError(request, core.handle(request));
    case 'rate_limited':
      return words.rateLimited(null);
    case 'rate_limited_with_hint':
      return words.rateLimited(1);
    case 'maintenance':
      return MAINTENANCE;
    case 'truncated': {
      const whole = core.handle(request);
      return { ...whole, body: whole.body.slice(0, Math.ceil(whole.body.length / 2)) };
    }
    case 'unknown_word':
      return words.unknownWord(core.handle(request));
    case 'other_amount':
      return words.otherAmount(core.handle(request));
    case 'other_currency':
      return words.otherCurrency(core.handle(request));
    case 'unauthorized':
      return words.unauthorized();
    case 'forbidden':
      return words.forbidden();
  }
}

const MAINTENANCE: DoubleResponse = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>',
};

/** An http server of a double. */
export type DoubleServer = { readonly url: string; close(): Promise<void> };

/** Starts an http server on a free port of 127.0.0.1. */
export async function listenOn(line: Pick<DoubleLine, 'serve'>): Promise<DoubleServer> {
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const response = await line.serve(await readRequest(incoming));
    if (response === null) return void outgoing.destroy();
    // No connection is used twice. A lost answer stays lost, and no client repeats the request on a new connection.
    outgoing.writeHead(response.status, { ...response.headers, connection: 'close' }).end(response.body);
  };
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => {
      process.stderr.write(`A double failed: ${String(error)}\n`);
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<DoubleRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Sends every request to the double at `url`, with the path that it has at the provider. */
export const sentTo = (http: HttpClient, url: string): HttpClient => ({
  ...http,
  send: (request) => {
    const { pathname, search } = new URL(request.url);
    return http.send({ ...request, url: `${url}${pathname}${search}` });
  },
});

/** Posts webhooks one after another. Returns the statuses of the answers. */
export async function postWebhooks(
  url: string,
  webhooks: readonly DoubleWebhook[],
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const { headers, body } of webhooks) {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}
