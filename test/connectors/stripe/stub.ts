import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallContext, Credentials } from '../../../src/connectors/interface/call-context.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { createStripe } from '../../../src/connectors/stripe/index.ts';
import { stripeDefinitions } from '../../../src/connectors/stripe/model/definitions.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { noTokens } from '../../support/no-tokens.ts';

/** A request as Stripe got it. `form` has the names of the query or of the body. */
export type Arrived = {
  readonly call: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

/** A prepared answer. */
export type Prepared = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** A server that gives prepared answers in order, and records the requests. */
export type Stub = {
  readonly connector: Connector;
  readonly arrived: Arrived[];
  /** Prepares the next answers. A body without a status is a success. */
  answer(...answers: readonly Prepared[]): void;
  context(definitionId?: string, credentials?: Credentials): CallContext;
  /** Forgets the requests and the answers. */
  clear(): void;
  close(): Promise<void>;
};

const CREDENTIALS = { secret_key: 'sk_test_stub', webhook_secret: 'whsec_stub', raw_card_data: 'true' };

export async function startStub(): Promise<Stub> {
  const arrived: Arrived[] = [];
  const prepared: Prepared[] = [];
  const server = createServer((request, reply) => {
    void readAll(request).then((body) => {
      arrived.push(arrivedOf(request, body));
      const { status = 200, headers = {}, body: answer } = prepared.shift() ?? NOTHING;
      reply.writeHead(status, { 'content-type': 'application/json', ...headers });
      reply.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `http://127.0.0.1:${port}`;
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  return {
    connector: createStripe({ api: host, files: `${host}/files` }),
    arrived,
    answer: (...answers) => void prepared.push(...answers),
    context: (definitionId = 'stripe-card', credentials = {}) => ({
      definition: definitionOf(definitionId),
      credentials: { ...CREDENTIALS, ...credentials },
      environment: 'sandbox',
      http,
      accessTokens: noTokens(),
      deadlineMs: 10_000,
    }),
    clear: () => {
      arrived.length = 0;
      prepared.length = 0;
    },
    close: () => {
      http.close();
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** No test should come here. Stripe has no such status. */
const NOTHING: Prepared = { status: 599, body: {} };

export function definitionOf(id: string) {
  const definition = stripeDefinitions.find((each) => each.id === id);
  if (!definition) throw new Error(`Stripe has no definition ${id}`);
  return definition;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function arrivedOf({ method, url = '', headers }: IncomingMessage, body: Buffer): Arrived {
  const [path = '', query = ''] = url.split('?');
  const text = method === 'GET' ? query : body.toString('utf8');
  const isForm = method === 'GET' || headers['content-type'] === 'application/x-www-form-urlencoded';
  return {
    call: `${method} ${path}`,
    form: isForm ? Object.fromEntries(new URLSearchParams(text)) : {},
    headers,
    body,
  };
}
