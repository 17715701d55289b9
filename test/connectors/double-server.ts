import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpSender } from '../../src/platform/http/reply.ts';
import { createFaults, type DoubleFault, type FaultTarget, type LineFault } from './double-faults.ts';

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

/** The answer of a double. Null if the connection is lost. */
export type DoubleAnswer = DoubleResponse | null;

/** A signed webhook that a double owes to the merchant, with the bytes that its signature is over. */
export type DoubleWebhook = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** A webhook with the id and the type of its event. */
export type DoubleEvent = DoubleWebhook & { readonly id: string; readonly type: string };

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
  /** The calls of a fault for which a test names none, such as all but those for access tokens. All calls by default. */
  readonly usual?: FaultTarget;
};

/** The line to a provider: its received requests, and the faults that a test orders. */
export type DoubleLine = {
  /** Every received request, in order. */
  readonly calls: readonly DoubleRequest[];
  /** Answers a request. Null if the connection is lost. */
  serve(request: DoubleRequest): Promise<DoubleAnswer>;
  /** The faults of the next calls, one each. */
  failNext(...faults: readonly LineFault[]): void;
  /** The faults of the next calls of a target, one each. */
  failNextOf(target: FaultTarget, ...faults: readonly LineFault[]): void;
  /** Cancels the remaining faults. */
  behave(): void;
  /** Lets hanging calls go on. */
  release(): void;
};

export function openLine(core: DoubleCore): DoubleLine {
  const calls: DoubleRequest[] = [];
  const faults = createFaults<LineFault>(core.usual);
  /** Waits for `release`, during which the key is in use. */
  const held = async (request: DoubleRequest, finish: () => DoubleResponse): Promise<DoubleResponse> => {
    const letGo = core.hold(request);
    await faults.released();
    letGo();
    return finish();
  };
  return {
    calls,
    serve: async (request) => {
      calls.push(request);
      const fault = faults.take(request);
      if (fault === 'hang_before_work') return held(request, () => core.handle(request));
      if (fault !== 'hang') return answer(core, request, fault);
      const response = core.handle(request);
      return held(request, () => response);
    },
    failNext: (...ordered) => faults.failNext(ordered),
    failNextOf: (target, ...ordered) => faults.failNext(ordered, target),
    ...{ behave: faults.behave, release: faults.release },
  };
}

type PromptFault = Exclude<DoubleFault, 'hang'>;

function answer(core: DoubleCore, request: DoubleRequest, fault: PromptFault | null): DoubleAnswer {
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

/** The page of a proxy before a provider that is under maintenance. */
export const MAINTENANCE: DoubleResponse = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>',
};

/** The part of a double that answers requests. */
type Served = { readonly serve: (request: DoubleRequest) => Promise<DoubleAnswer> };

/** An http server of a double. */
export type DoubleServer = { readonly url: string; readonly close: () => Promise<void> };

/** Serves a double on a free port of 127.0.0.1. A double that throws answers 599. */
export async function listenOn({ serve }: Served): Promise<DoubleServer> {
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const response = await readRequest(incoming).then(serve).catch(failed);
    if (response === null) return void outgoing.destroy();
    // No connection is used twice. A lost answer stays lost, and no client repeats the request on a new connection.
    outgoing.writeHead(response.status, { ...response.headers, connection: 'close' }).end(response.body);
  };
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function failed(error: unknown): DoubleResponse {
  process.stderr.write(`A double failed: ${String(error)}\n`);
  return { status: 599, headers: {}, body: `The double failed: ${String(error)}` };
}

async function readRequest(incoming: IncomingMessage): Promise<DoubleRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  // The bytes of a file survive in latin1, which has one character for each byte.
  const encoding = headers['content-type']?.startsWith('multipart/') ? 'latin1' : 'utf8';
  const body = Buffer.concat(chunks).toString(encoding);
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers, body };
}

/** Sends every request to the double at `url`, with the path that it has at the provider. */
export const sentTo = <Client extends HttpSender>(http: Client, url: string): Client => ({
  ...http,
  send: (request) => {
    const { pathname, search } = new URL(request.url);
    return http.send({ ...request, url: `${url}${pathname}${search}` });
  },
});

/** Posts webhooks one after another. Returns the statuses of the answers, and 0 for a lost connection. */
export async function postWebhooks(
  url: string,
  webhooks: readonly DoubleWebhook[],
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const { headers, body } of webhooks) {
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    await response?.arrayBuffer();
    statuses.push(response?.status ?? 0);
  }
  return statuses;
}
