import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  simulateCompletion,
  simulateSession,
  type CompletionQuestion,
  type SessionAnswer,
  type SessionQuestion,
} from '../../src/connectors/sandbox/sessions.ts';
import {
  simulate,
  type SimulatorReply,
  type SimulatorRequest,
} from '../../src/connectors/sandbox/simulator.ts';

/**
 * The fault of the next call:
 *
 * - The request is lost before the work, or the reply after it.
 * - The reply is a server error after the work, nonsense, or about other money.
 * - The reply waits until `release` is called.
 * - An inquiry finds the operation undecided or unknown.
 */
export type Fault =
  | 'lose_request'
  | 'lose_answer'
  | 'error_after_work'
  | 'nonsense'
  | 'other_money'
  | 'hang'
  | 'still_deciding'
  | 'not_found';

/**
 * A fake provider: real HTTP, its own books, and faults on demand. By default it is idempotent by key, like a good
 * provider.
 */
export type FakeProvider = {
  readonly url: string;
  /** Every received request, in order. */
  readonly calls: readonly SimulatorRequest[];
  /** The requests of clients' sessions, which are separate. */
  readonly sessionCalls: readonly SessionCall[];
  /** The real effects: one entry for each key. */
  readonly books: ReadonlyMap<string, SimulatorReply>;
  /** The keys with repeated work, because the provider remembers none: one entry for each repeat. */
  readonly repeats: readonly string[];
  /** The faults of the next calls, one each. */
  failNext(...faults: readonly Fault[]): void;
  /** Cancels the remaining faults. */
  behave(): void;
  /** Lets hanging calls reply. */
  release(): void;
  close(): Promise<void>;
};

type SessionCall = SessionQuestion | CompletionQuestion;

export type FakeProviderOptions = {
  /** The delay before the work of a request. The default is none. */
  readonly delayMs?: () => number;
  /**
   * True if the provider replies to a repeat as before. Otherwise the provider works again, and only an inquiry shows
   * the outcome of a key.
   */
  readonly remembersKeys?: boolean;
};

export async function startFakeProvider({
  delayMs = () => 0,
  remembersKeys = true,
}: FakeProviderOptions = {}): Promise<FakeProvider> {
  const calls: SimulatorRequest[] = [];
  const sessionCalls: SessionCall[] = [];
  const books = new Map<string, SimulatorReply>();
  const repeats: string[] = [];
  const faults: Fault[] = [];
  let waiting: (() => void)[] = [];

  const perform = (request: SimulatorRequest | SessionCall): SimulatorReply | SessionAnswer => {
    if (request.operation === 'session') return simulateSession(request);
    if (request.operation === 'complete') return complete(request);
    const known = books.get(request.idempotency_key);
    if (request.operation === 'status') return statusOf(request, known);
    if (known && remembersKeys) return known;
    if (known) repeats.push(request.idempotency_key);
    const reply = simulate(request);
    books.set(request.idempotency_key, reply);
    if (request.operation === 'cancel' && reply.result === 'approved') cancel(request);
    return reply;
  };

  /** Undecided and unseen payments will no longer be authorised. */
  const cancel = ({ authorization_key: key = '', amount, currency }: SimulatorRequest): void => {
    const authorization = books.get(key) ?? { result: 'pending', id: `pay_${key}`, amount, currency };
    if (authorization.result === 'pending')
      books.set(key, { ...authorization, result: 'error', code: 'canceled', message: 'Cancelled' });
  };

  /** Decides an accepted payment at the first inquiry. */
  const statusOf = (request: SimulatorRequest, known: SimulatorReply | undefined): SimulatorReply => {
    if (!known) return { ...simulate(request), result: 'not_found' };
    if (known.result !== 'pending') return known;
    const decided = simulate(request);
    books.set(request.idempotency_key, decided);
    return decided;
  };

  /** Takes effect once. An ended payment stays unchanged. */
  const complete = (request: CompletionQuestion): SimulatorReply => {
    const known = books.get(request.idempotency_key);
    if (known && known.result !== 'pending') return known;
    const done = simulateCompletion(request);
    books.set(request.idempotency_key, done);
    return done;
  };

  const answer = (
    request: SimulatorRequest | SessionCall,
    response: ServerResponse,
    fault: Fault | undefined,
  ): void => {
    if (fault === 'lose_request') return void response.destroy();
    if (fault === 'still_deciding') return void response.end(result(request, 'pending'));
    if (fault === 'not_found') return void response.end(result(request, 'not_found'));
    const said = perform(request);
    const reply = JSON.stringify(
      fault === 'other_money' && 'amount' in said ? { ...said, amount: said.amount + 1 } : said,
    );
    if (fault === 'lose_answer') response.destroy();
    else if (fault === 'error_after_work') response.writeHead(500).end('Internal error');
    else if (fault === 'nonsense') response.writeHead(200).end('{"result":"perhaps"}');
    else if (fault === 'hang') waiting.push(() => response.end(reply));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
  };

  const result = (request: SimulatorRequest | SessionCall, said: SimulatorReply['result']): string =>
    JSON.stringify({ ...wordsFor(request), result: said });

  /** Returns the reply without the effect. */
  const wordsFor = (request: SimulatorRequest | SessionCall): SimulatorReply | SessionAnswer => {
    if (request.operation === 'session') return simulateSession(request);
    return request.operation === 'complete' ? simulateCompletion(request) : simulate(request);
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as SimulatorRequest | SessionCall;
      if (request.operation === 'session' || request.operation === 'complete') sessionCalls.push(request);
      else calls.push(request);
      // No connection is used twice. A lost reply stays lost, and the client does not repeat the request on a new
      // connection.
      response.setHeader('connection', 'close');
      const thinkingMs = delayMs();
      if (thinkingMs === 0) answer(request, response, faults.shift());
      else setTimeout(() => answer(request, response, faults.shift()), thinkingMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/payments`,
    calls,
    sessionCalls,
    books,
    repeats,
    failNext: (...given) => void faults.push(...given),
    behave: () => void faults.splice(0),
    release: () => {
      waiting.forEach((go) => go());
      waiting = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
