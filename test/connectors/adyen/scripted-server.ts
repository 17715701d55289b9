import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noTokens } from '../../support/no-tokens.ts';
import { CREDENTIALS } from './samples.ts';
import { createAdyen } from '../../../src/connectors/adyen/index.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';

/** A request that reached the server. */
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly apiKey: string | undefined;
  readonly body: unknown;
};

/** An answer: JSON, or a text as it is. Null drops the connection. */
export type Scripted = { readonly status?: number; readonly body: unknown } | null;

export type ScriptedServer = {
  readonly connector: Connector;
  readonly received: Received[];
  /** Sets the answers of the next requests. The last answer repeats. */
  answer(...answers: readonly Scripted[]): void;
  context(changes?: Partial<CallContext>): CallContext;
  close(): Promise<void>;
};

/** Starts a server that gives prepared answers, and a connector that calls the server. */
export async function startScripted(): Promise<ScriptedServer> {
  const received: Received[] = [];
  let answers: readonly Scripted[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { 'idempotency-key': key, 'x-api-key': apiKey } = request.headers;
      received.push({
        ...{
          method: request.method ?? '',
          path: request.url ?? '',
          body: text === '' ? null : JSON.parse(text),
        },
        ...{ key: key as string | undefined, apiKey: apiKey as string | undefined },
      });
      const [next = null, ...rest] = answers;
      if (rest.length > 0) answers = rest;
      if (!next) return void request.socket.destroy();
      response.statusCode = next.status ?? 200;
      response.end(typeof next.body === 'string' ? next.body : JSON.stringify(next.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connector = createAdyen({
    hosts: () => ({ checkout: `${url}/v71`, disputes: `${url}/disputes`, reports: `${url}/reports` }),
  });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const [definition] = connector.definitions;
  if (!definition) throw new Error('The connector has no definition');
  return {
    connector,
    received,
    answer: (...given) => {
      received.length = 0;
      answers = given;
    },
    context: (changes = {}) => ({
      ...{ definition, credentials: CREDENTIALS, environment: 'sandbox', http, deadlineMs: 5_000 },
      accessTokens: noTokens(),
      ...changes,
    }),
    close: async () => {
      http.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
