import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createService, startHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await createService(harness.server, harness.provider.url);
});
afterAll(() => harness.stop());

/** An amount at which the first service declines with a code that another service may approve. */
const ISSUER_DECLINE = 200012;

async function attemptsOf(connectionOptions: object | null) {
  const { transaction } = await harness.create({ amount: ISSUER_DECLINE, connectionOptions });
  const shown = await harness.ask<{ transaction: { attempts: readonly unknown[] } }>(
    `query ($id: ID!) { transaction(id: $id) {
      attempts { status errorCode rawResponseCode authResponseCode merchantAdviceCode } } }`,
    { id: transaction?.id },
  );
  return shown.transaction.attempts;
}

const DECLINED = { status: 'DECLINED', rawResponseCode: 'issuer_decline', authResponseCode: null };

it('an advice against a retry ends the payment at its first service', async () => {
  const advice = { 'mock-card': { merchant_advice_code: { result: '03' } } };

  expect(await attemptsOf(advice)).toEqual([
    { ...DECLINED, errorCode: 'refused_transaction', merchantAdviceCode: '03' },
  ]);
});

it('another advice is shown, and the payment goes on', async () => {
  const advice = { 'mock-card': { merchant_advice_code: { result: '02' } } };

  expect(await attemptsOf(advice)).toEqual([
    { ...DECLINED, errorCode: 'issuer_decline', merchantAdviceCode: '02' },
    { ...DECLINED, errorCode: 'issuer_decline', merchantAdviceCode: '02' },
  ]);
});

it('a payment shows the issuer’s response code with its attempt', async () => {
  const { transaction } = await harness.create();
  const shown = await harness.ask<{ transaction: unknown }>(
    'query ($id: ID!) { transaction(id: $id) { authResponseCode attempts { authResponseCode merchantAdviceCode } } }',
    { id: transaction?.id },
  );

  const authResponseCode = transaction?.['authResponseCode'];
  expect(authResponseCode).toMatch(/^[A-Z0-9]{6}$/);
  expect(shown.transaction).toEqual({
    authResponseCode,
    attempts: [{ authResponseCode, merchantAdviceCode: null }],
  });
});
