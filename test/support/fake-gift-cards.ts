import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  openGiftCardBook,
  type GiftCardRequest,
} from '../../src/connectors/sandbox/simulator/gift-card-simulator.ts';

/**
 * The fault of the next call: a request lost before the work, or a reply lost after it. Or the reply is a server error
 * after the work, nonsense, or about other money.
 */
export type GiftCardFault = 'lose_request' | 'lose_answer' | 'error_after_work' | 'nonsense' | 'other_money';

/** A fake provider of gift cards: real HTTP, the sandbox's book, faults on demand. */
export type FakeGiftCards = {
  readonly url: string;
  /** Every received request, in order. */
  readonly calls: readonly GiftCardRequest[];
  /** The faults of the next calls, one each. */
  failNext(...faults: readonly GiftCardFault[]): void;
  close(): Promise<void>;
};

export async function startFakeGiftCards(): Promise<FakeGiftCards> {
  const book = openGiftCardBook();
  const calls: GiftCardRequest[] = [];
  const faults: GiftCardFault[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as GiftCardRequest;
      calls.push(request);
      // No connection is used twice. A lost reply stays lost, and the client does not repeat the request on a new
      // connection.
      response.setHeader('connection', 'close');
      const fault = faults.shift();
      if (fault === 'lose_request') return void response.destroy();
      const reported = book.answer(request);
      const moved =
        fault === 'other_money' && 'amount' in reported
          ? { ...reported, amount: reported.amount + 1 }
          : reported;
      if (fault === 'lose_answer') response.destroy();
      else if (fault === 'error_after_work') response.writeHead(500).end('Internal error');
      else if (fault === 'nonsense') response.writeHead(200).end('{"result":"perhaps"}');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(moved));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/gift-cards`,
    calls,
    failNext: (...given) => void faults.push(...given),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
