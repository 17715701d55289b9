import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { simulate, type SimulatorRequest } from '../../connectors/sandbox/simulator/simulator.ts';

/** A received webhook. An independent library has checked its signature. */
export type ReceivedWebhook = {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly verified: boolean;
};

/** A small server of the demo on this machine. */
export type Listener = { readonly url: string; close(): void };

/** Plays the payment provider and reports each call. */
export const startProvider = (onCall: (request: SimulatorRequest) => void): Promise<Listener> =>
  listen((incoming, response) => {
    void readText(incoming).then((text) => {
      const request = JSON.parse(text) as SimulatorRequest;
      onCall(request);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(simulate(request)));
    });
  });

/** Receives webhooks, checks each signature with the result of `secret`, and reports each webhook. */
export const startReceiver = (
  secret: () => string,
  onWebhook: (webhook: ReceivedWebhook) => void,
): Promise<Listener> =>
  listen((incoming, response) => {
    void readText(incoming).then((body) => {
      response.writeHead(204).end();
      const { id, name, sequence } = JSON.parse(body) as { id: string; name: string; sequence: number };
      onWebhook({ id, name, sequence, verified: isSigned(secret(), body, incoming) });
    });
  });

function isSigned(secret: string, body: string, { headers }: IncomingMessage): boolean {
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    return true;
  } catch {
    return false;
  }
}

async function listen(answer: RequestListener): Promise<Listener> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
