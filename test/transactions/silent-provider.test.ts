import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createService, startHarness, type CreateInput, type Harness } from './harness.ts';
import { unresolvedOn } from './unresolved.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
});
afterAll(() => harness.stop());

const setKey = (id: string, key: string) =>
  harness.ask(
    `mutation ($id: ID!, $key: String!) { updatePaymentService(id: $id, input: { fields: [{ key: "api_key", value: $key }] }) {
      paymentService { status } userErrors { message } } }`,
    { id, key },
  );

async function made(input: CreateInput): Promise<string> {
  const { transaction } = await harness.create(input);
  return transaction?.id ?? '';
}

it('rehearses an outage: a silent key leaves the outcome unknown, and another key ends the outage', async () => {
  const paymentServiceId = await createService(harness.server, null, {
    definitionId: 'mock-acquirer',
    fields: { api_key: 'key of the rehearsal' },
  });
  expect(await setKey(paymentServiceId, 'silent key')).toMatchObject({
    updatePaymentService: { paymentService: { status: 'PENDING' }, userErrors: [] },
  });

  const id = await made({ paymentServiceId, amount: 2_500 });
  const operation = await unresolvedOn(harness, id);
  expect(operation).toMatchObject({ status: 'PENDING', attempts: 1, unknown: { cause: 'TIMEOUT' } });
  expect(await harness.sync(id)).toMatchObject({ operations: [{ id: operation?.id, status: 'PENDING' }] });
  expect(await unresolvedOn(harness, id)).toMatchObject({ id: operation?.id, attempts: 2 });

  await setKey(paymentServiceId, 'key after the outage');
  expect(await harness.sync(id)).toMatchObject({
    operations: [{ id: operation?.id, status: 'SUCCEEDED', unknown: null }],
    transaction: { id, status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 2_500 },
    userErrors: [],
  });
});
