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
 * What goes wrong with the next call. The request is lost before the work, or the answer after it; the answer is a
 * server error after the work, or nonsense, or speaks of other money; or it does not come until `release` is called. Asked
 * about an operation, it has still not decided, or does not know it.
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
 * A provider of its own: real HTTP, books of its own, idempotent by key like a good one unless told otherwise, with faults on
 * demand.
 */
export type FakeProvider = {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly calls: readonly SimulatorRequest[];
  /** Of clients' sessions, those are apart. */
  readonly sessionCalls: readonly SessionCall[];
  /** What was really done: one entry for each key. */
  readonly books: ReadonlyMap<string, SimulatorReply>;
  /** The keys under which it has worked again, for it remembers none: one entry for each time. */
  readonly repeats: readonly string[];
  /** The next calls go wrong like this, one each. */
  failNext(...faults: readonly Fault[]): void;
  /** What has yet to go wrong does not. */
  behave(): void;
  /** Lets hanging calls answer. */
  release(): void;
  close(): Promise<void>;
};

type SessionCall = SessionQuestion | CompletionQuestion;

export type FakeProviderOptions = {
  /** How long it thinks before it does the work of a request; not at all unless given. */
  readonly delayMs?: () => number;
  /** Whether it answers a repeat as before. Otherwise it works again, and can only be asked what became of a key. */
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

  /** What it has not decided, or not even seen, will not be authorised any more. */
  const cancel = ({ authorization_key: key = '', amount, currency }: SimulatorRequest): void => {
    const authorization = books.get(key) ?? { result: 'pending', id: `pay_${key}`, amount, currency };
    if (authorization.result === 'pending')
      books.set(key, { ...authorization, result: 'error', code: 'canceled', message: 'Cancelled' });
  };

  /** It decides what it took on when it is first asked about it. */
  const statusOf = (request: SimulatorRequest, known: SimulatorReply | undefined): SimulatorReply => {
    if (!known) return { ...simulate(request), result: 'not_found' };
    if (known.result !== 'pending') return known;
    const decided = simulate(request);
    books.set(request.idempotency_key, decided);
    return decided;
  };

  /** Once; what has ended stays as it is. */
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

  /** What it would say, without doing it. */
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
      // No connection is used twice: what is lost is lost, and the client does not repeat it on a fresh one.
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
