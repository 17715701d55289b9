import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedWebhook = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** The answer of a receiver: a status, or a function that writes the response. */
export type ReceiverAnswer = number | ((response: ServerResponse, request: ReceivedWebhook) => void);

/** A separate receiver of webhooks for one test. */
export type Receiver = {
  readonly url: string;
  /** Every request with a complete body, in order. */
  readonly received: readonly ReceivedWebhook[];
  /** Sets the answer to the next requests. The initial answer is 204. */
  answer(answer: ReceiverAnswer): void;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  let current: ReceiverAnswer = 204;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const webhook = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(webhook);
      if (typeof current === 'number') response.writeHead(current).end();
      else current(response, webhook);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    answer: (answer) => {
      current = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
