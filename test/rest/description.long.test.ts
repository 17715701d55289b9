import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { restClient, type RestBody, type RestClient } from './client.ts';
import { EXCHANGES, type Exchange } from './exchanges.ts';
import { readDescription, type Description } from './read-description.ts';

let server: TestServer;
let send: RestClient;
let description: Description;
beforeAll(async () => {
  server = await startTestServer();
  send = restClient(server);
  description = await readDescription(send);
});
afterAll(() => server.stop());

describe('the description of the REST paths', () => {
  it('is true of a request and an answer of each path', async () => {
    const known = new Map<string, RestBody>();
    const faults: unknown[] = [];
    for (const [name, exchange] of EXCHANGES) faults.push(...(await faultsIn(name, exchange, known)));

    expect(faults).toEqual([]);
  });
});

const schemaIn = (response: unknown): object | null =>
  (response as { content?: { 'application/json': { schema: object } } }).content?.['application/json']
    .schema ?? null;

async function faultsIn(name: string, exchange: Exchange, known: Map<string, RestBody>): Promise<unknown[]> {
  const found = description.operations.find(({ operation }) => operation.operationId === name.split(' ')[0]);
  if (!found) return [`${name} is not described`];
  const { method, path, operation } = found;
  const id = (of: string): string => known.get(of)?.id ?? `no ${of}`;
  const params = exchange.params?.(id) ?? {};
  const address = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? `no ${param}`);
  const query = exchange.query?.(id);
  const body = exchange.body?.(id);
  const { status, body: answer } = await send(
    `${method} ${address}${query === undefined ? '' : `?${query}`}` as `GET /${string}`,
    body,
    exchange.headers && { headers: exchange.headers },
  );
  if (exchange.as !== undefined) known.set(exchange.as, answer);
  const request = operation.requestBody?.content['application/json'].schema;
  const response = operation.responses[status];
  const schema = response && schemaIn(response);
  const unknown = [...new URLSearchParams(query).keys()].filter(
    (parameter) =>
      !operation.parameters.some(({ in: place, name: of }) => place === 'query' && of === parameter),
  );
  const faults = [
    ...(status >= 300 ? [JSON.stringify(answer)] : []),
    ...(response ? [] : [`${status} is not described`]),
    ...(body !== undefined && request ? description.faultsOf(request, body) : []),
    ...(schema ? description.faultsOf({ ...schema, unevaluatedProperties: false }, answer) : []),
    ...unknown.map((parameter) => `${parameter} is not described`),
  ];
  return faults.map((fault) => `${name}: ${fault}`);
}
