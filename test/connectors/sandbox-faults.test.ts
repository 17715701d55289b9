import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerBuiltIn, SLOW_PART } from '../../src/connectors/sandbox/faults.ts';
import { openShop, type Shop } from '../routing/harness.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const setKey = (shop: Shop, value: string) =>
  shop.ask(
    `mutation ($id: ID!, $value: String!) { answer: updatePaymentService(id: $id,
      input: { fields: [{ key: "api_key", value: $value }] }) { paymentService { status } userErrors { message } } }`,
    { id: shop.services[0], value },
  );

it.each([
  ['failing', 'FAILED', 'service_error'],
  ['declining', 'DECLINED', 'issuer_decline'],
])('under a %s key, the next service is asked', async (key, status, errorCode) => {
  const shop = await openShop(server);
  const { transaction: earlier } = await shop.pay();
  expect(await setKey(shop, `${key} key`)).toMatchObject({
    ...{ paymentService: { status: 'ACTIVE' }, userErrors: [] },
  });

  const { transaction } = await shop.pay();
  expect(
    await shop.ask('query ($id: ID!) { answer: transaction(id: $id) { attempts { status errorCode } } }', {
      id: transaction?.id,
    }),
  ).toEqual({
    attempts: [
      { status, errorCode },
      { status: 'SUCCEEDED', errorCode: null },
    ],
  });

  const captured = await shop.ask(
    `mutation ($id: ID!) { answer: captureTransaction(id: $id, input: { amount: 1299 }) { capture { status } } }`,
    { id: earlier?.id },
  );
  expect(captured).toEqual({ capture: { status: 'SUCCEEDED' } });

  await setKey(shop, 'working');
  expect(await shop.asked()).toEqual([1]);
});

const REQUEST = { operation: 'authorize', idempotency_key: 'k', amount: 1299, currency: 'USD' } as const;

const answer = (key: string, request: Parameters<typeof answerBuiltIn>[1] = REQUEST) =>
  answerBuiltIn({ credentials: { api_key: key }, deadlineMs: 40 }, request);

it('a slow key takes a part of the time limit, and then answers as ever', async () => {
  const startedAt = performance.now();

  expect(await answer('slow key')).toEqual(await answer('working'));
  // A timer may ring a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThan(40 * SLOW_PART - 2);
});

it('a look-up finds the refusal that the authorisation got', async () => {
  const refused = await answer('declining key');

  expect(refused).toMatchObject({ kind: 'declined', errorCode: 'issuer_decline' });
  expect(await answer('declining key', { ...REQUEST, operation: 'status' })).toEqual(refused);
  expect(await answer('declining key', { ...REQUEST, operation: 'status', of: 'capture' })).toMatchObject({
    kind: 'succeeded',
  });
});
