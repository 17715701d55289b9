import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi, Operation } from '../../src/http/rest/openapi.ts';
import { ROUTES } from '../../src/http/rest/table.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { restClient, type RestBody, type RestClient } from './client.ts';
import { EXCHANGES, type Exchange } from './exchanges.ts';

let server: TestServer;
let send: RestClient;
let api: OpenApi;
let ajv: Ajv2020;
beforeAll(async () => {
  server = await startTestServer();
  send = restClient(server);
  const { text } = await send('GET /openapi.json', undefined, { token: null });
  api = JSON.parse(text) as OpenApi;
  ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int32: true, int64: true } });
  addFormats.default(ajv);
  ajv.addSchema(api, 'api');
});
afterAll(() => server.stop());

type Described = { readonly method: string; readonly path: string; readonly operation: Operation };

const described = (): readonly Described[] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Returns the faults of a value. References in the schema are those of the description. */
function faultsOf(schema: object, value: unknown, more: object = {}): readonly string[] {
  const text = JSON.stringify({ ...schema, ...more });
  const check = ajv.compile(JSON.parse(text.replaceAll('"#/', '"api#/')) as object);
  check(value);
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const schemaIn = (response: unknown): object | null =>
  (response as { content?: { 'application/json': { schema: object } } }).content?.['application/json']
    .schema ?? null;

describe('the description of the REST paths', () => {
  it('holds every path of the table, and no other but the session', () => {
    const found = described().map(({ method, path }) => `${method} ${path}`);
    const table = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(found.toSorted()).toEqual([...table, 'POST /transactions/{transaction_id}/session'].toSorted());
    expect(new Set(described().map(({ operation }) => operation.operationId)).size).toBe(found.length);
  });

  it('has an example of each body, and the body’s schema accepts it', () => {
    const bodies = described().flatMap(({ operation: { operationId, requestBody } }) =>
      requestBody ? [{ operationId, ...requestBody.content['application/json'], ...requestBody }] : [],
    );
    const faults = bodies.map(({ operationId, schema, example, required }) => [
      operationId,
      example === undefined ? (required ? ['no example'] : []) : faultsOf(schema, example),
    ]);
    expect(faults.filter(([, each]) => each?.length)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(20);
  });

  it('says the scope of each path', () => {
    const scopes = described().map(({ method, path, operation }) => [
      `${method} ${path}`,
      operation.security.flatMap((each) => Object.values(each)).join(),
    ]);
    expect(Object.fromEntries(scopes)).toMatchObject({
      'POST /payment-services': 'payment-services.write',
      'GET /payment-links/{payment_link_id}': 'payment-links.read',
      'PUT /payment-methods/{payment_method_id}': 'payment-methods.write',
      'POST /captures': 'transactions.write',
    });
    const open = scopes.filter(([, scope]) => scope === '').map(([path]) => path);
    expect(open).toEqual(['POST /transactions/{transaction_id}/session']);
  });

  it('is true of a request and an answer of each path', async () => {
    const known = new Map<string, RestBody>();
    const faults: unknown[] = [];
    for (const [name, exchange] of EXCHANGES) faults.push(...(await faultsIn(name, exchange, known)));

    expect(faults).toEqual([]);
    const exchanged = new Set(EXCHANGES.map(([name]) => name.split(' ')[0]));
    const missing = described()
      .map(({ operation }) => operation.operationId)
      .filter((id) => !exchanged.has(id));
    expect(missing).toEqual([
      'post_transactions_transaction_id_sync',
      'post_transactions_transaction_id_cancel',
      'post_transactions_transaction_id_authorization_increment',
      'post_transactions_transaction_id_session',
    ]);
  });
});

async function faultsIn(name: string, exchange: Exchange, known: Map<string, RestBody>): Promise<unknown[]> {
  const found = described().find(({ operation }) => operation.operationId === name.split(' ')[0]);
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
    ...(body !== undefined && request ? faultsOf(request, body) : []),
    ...(schema ? faultsOf(schema, answer, { unevaluatedProperties: false }) : []),
    ...unknown.map((parameter) => `${parameter} is not described`),
  ];
  return faults.map((fault) => `${name}: ${fault}`);
}
