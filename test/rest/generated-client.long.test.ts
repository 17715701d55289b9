import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { generateClient, type GeneratedClient } from '../clients/rest-client.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import type { RestBody } from './client.ts';
import { EXCHANGES, UNEXCHANGED } from './exchanges.ts';

let server: TestServer;
let client: GeneratedClient;
beforeAll(() => installApart('test/clients'), INSTALL_MS);
beforeAll(async () => {
  server = await startTestServer();
  client = await generateClient(server.url, server.token);
});
afterAll(() => server.stop());

const call = async (operation: string, ...given: Parameters<GeneratedClient[string]>) => {
  const method = client[operation];
  if (!method) throw new Error(`The client has no method ${operation}.`);
  return await method(...given);
};

it('a client that others generate has a method for each path, and each of them works', async () => {
  const known = new Map<string, RestBody>();
  const idOf = (name: string): string => known.get(name)?.id ?? '';
  const failed: unknown[] = [];
  const called = new Set<string>(UNEXCHANGED);
  for (const [name, exchange] of EXCHANGES) {
    const [operation = ''] = name.split(' ');
    const query = Object.fromEntries(parametersIn(exchange.query?.(idOf) ?? ''));
    const parameters = { ...query, ...exchange.params?.(idOf) };
    const settings = { headers: { ...exchange.headers } };
    const { status, data } = await call(operation, parameters, exchange.body?.(idOf), settings);
    if (status >= 300) failed.push([name, status, data]);
    if (exchange.as !== undefined) known.set(exchange.as, data as unknown as RestBody);
    called.add(operation);
  }

  expect(failed).toEqual([]);
  const methods = Object.keys(client).filter((name) => /^(get|post|put|delete)_/.test(name));
  expect(methods.toSorted()).toEqual([...called].toSorted());
});

/** A parameter that comes several times is a list. */
const parametersIn = (query: string): readonly (readonly [string, string | readonly string[]])[] => {
  const found = new URLSearchParams(query);
  return [...new Set(found.keys())].map((name) => {
    const values = found.getAll(name);
    return [name, values.length > 1 ? values : (values[0] ?? '')] as const;
  });
};

it('the client pays once for one key, and reads a refusal by its code', async () => {
  const payment = {
    ...{ amount: 1299, currency: 'USD', country: 'US' },
    payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/40' },
  };
  const key = { headers: { 'idempotency-key': 'order-1' } };
  const first = await call('post_transactions', null, payment, key);
  const again = await call('post_transactions', null, payment, key);
  const captured = await call('post_captures', null, { transaction_id: first.data.id, amount: 9_999 });

  expect([first.status, again.status, again.data.id]).toEqual([201, 201, first.data.id]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect([captured.status, captured.data]).toEqual([
    400,
    expect.objectContaining({ type: 'error', code: 'bad_request', reason: 'capture_too_large' }),
  ]);
  const shown = await call('get_transactions_transaction_id', { transaction_id: first.data.id });
  expect(shown.data).toMatchObject({ id: first.data.id, status: 'authorization_succeeded' });
});
