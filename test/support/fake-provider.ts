import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  simulate,
  type SimulatorReply,
  type SimulatorRequest,
} from '../../src/connectors/sandbox/simulator.ts';

/**
 * What goes wrong with the next call. The request is lost before the work, or the answer after it; the answer is a
 * server error after the work, or nonsense; or it does not come until `release` is called.
 */
export type Fault = 'lose_request' | 'lose_answer' | 'error_after_work' | 'nonsense' | 'hang';

/** A provider of its own: real HTTP, books of its own, idempotent by key like a good one, with faults on demand. */
export type FakeProvider = {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly calls: readonly SimulatorRequest[];
  /** What was really done: one entry for each key. */
  readonly books: ReadonlyMap<string, SimulatorReply>;
  /** The next calls go wrong like this, one each. */
  failNext(...faults: readonly Fault[]): void;
  /** Lets hanging calls answer. */
  release(): void;
  close(): Promise<void>;
};

export async function startFakeProvider(): Promise<FakeProvider> {
  const calls: SimulatorRequest[] = [];
  const books = new Map<string, SimulatorReply>();
  const faults: Fault[] = [];
  let waiting: (() => void)[] = [];

  const perform = (request: SimulatorRequest): SimulatorReply => {
    const known = books.get(request.idempotency_key);
    if (known) return known;
    const reply = simulate(request);
    books.set(request.idempotency_key, reply);
    return reply;
  };

  const answer = (request: SimulatorRequest, response: ServerResponse, fault: Fault | undefined): void => {
    if (fault === 'lose_request') return void response.destroy();
    const reply = JSON.stringify(perform(request));
    if (fault === 'lose_answer') response.destroy();
    else if (fault === 'error_after_work') response.writeHead(500).end('Internal error');
    else if (fault === 'nonsense') response.writeHead(200).end('{"result":"perhaps"}');
    else if (fault === 'hang') waiting.push(() => response.end(reply));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as SimulatorRequest;
      calls.push(request);
      // No connection is used twice: what is lost is lost, and the client does not repeat it on a fresh one.
      response.setHeader('connection', 'close');
      answer(request, response, faults.shift());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/payments`,
    calls,
    books,
    failNext: (...given) => void faults.push(...given),
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
