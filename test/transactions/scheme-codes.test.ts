import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CARD, createService, startHarness, type Harness, type Payload } from './harness.ts';
import { ended, inboundRows, inboxOf } from './inbox.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await createService(harness.server, harness.provider.url);
});
afterAll(() => harness.stop());

/** An amount at which the first service declines with a code that another service may approve. */
const ISSUER_DECLINE = 200012;

const attemptsOf = async ({ transaction }: Pick<Payload, 'transaction'>) =>
  (
    await harness.ask<{ transaction: { attempts: readonly unknown[] } }>(
      `query ($id: ID!) { transaction(id: $id) {
        attempts { status errorCode rawResponseCode authResponseCode networkResponseCode merchantAdviceCode } } }`,
      { id: transaction?.id },
    )
  ).transaction.attempts;

const declined = (options: object | null, key?: string): Promise<Payload> =>
  harness.create({ amount: ISSUER_DECLINE, connectionOptions: options && { 'mock-card': options } }, key);

const DECLINED = { status: 'DECLINED', rawResponseCode: 'issuer_decline', authResponseCode: null };

it.each([
  ['an advice', { merchant_advice_code: { result: '03' } }, ['05', '03']],
  ['a response code', { network_response_code: { result: 'R1' } }, ['R1', null]],
])('%s against a retry ends the payment at its first service', async (_, options, [response, advice]) => {
  const payload = await declined(options);

  expect(payload.transaction?.['errorCode']).toBe('refused_transaction');
  expect(await attemptsOf(payload)).toEqual([
    {
      ...{ ...DECLINED, errorCode: 'refused_transaction' },
      ...{ networkResponseCode: response, merchantAdviceCode: advice },
    },
  ]);
});

it('other codes are kept with each attempt, and the payment goes on', async () => {
  const payload = await declined({ merchant_advice_code: { result: '02' } });

  const attempt = {
    ...{ ...DECLINED, errorCode: 'issuer_decline' },
    ...{ networkResponseCode: '05', merchantAdviceCode: '02' },
  };
  expect(await attemptsOf(payload)).toEqual([attempt, attempt]);
});

it('a code in another form is not kept', async () => {
  const payload = await declined({ network_response_code: { result: 'Do not honor' } });

  expect(await attemptsOf(payload)).toMatchObject([
    { networkResponseCode: null },
    { networkResponseCode: null },
  ]);
});

/** Stores the answer of a key as an earlier release did, which knew no codes of schemes. */
const STORED_BEFORE = `
  UPDATE idempotency_key k SET result = (
    SELECT json_build_object('operation', to_jsonb(o) - 'network_response_code' - 'answer', 'transaction', row_to_json(t))::text
    FROM operation o JOIN transaction t ON t.id = o.transaction_id WHERE o.id = k.resource_id::uuid)
  WHERE key = 'repeated'`;

it('a repeat shows the codes, and none of a result that an earlier release stored without them', async () => {
  const document = `mutation ($input: CreateTransactionInput!) {
    createTransaction(input: $input, idempotencyKey: "repeated") { replayed
      transaction { id attempts { networkResponseCode merchantAdviceCode } } } }`;
  const input = { amount: ISSUER_DECLINE, currency: 'USD', paymentMethod: { card: CARD } };
  const first = await harness.ask<{ createTransaction: object }>(document, { input });
  const same = await harness.ask<{ createTransaction: object }>(document, { input });
  const count = await harness.server.app.db.prisma.$executeRawUnsafe(STORED_BEFORE);

  const earlier = await harness.ask<{ createTransaction: object }>(document, { input });

  const attempt = { networkResponseCode: '05', merchantAdviceCode: null };
  expect(count).toBe(1);
  expect(first).toMatchObject({
    createTransaction: { replayed: false, transaction: { attempts: [attempt, attempt] } },
  });
  expect(same).toEqual({ createTransaction: { ...first.createTransaction, replayed: true } });
  expect(earlier).toMatchObject({
    createTransaction: {
      replayed: true,
      transaction: { attempts: [attempt, { ...attempt, networkResponseCode: null }] },
    },
  });
});

it('a decline by a webhook tells both codes, and they decide its reason', async () => {
  const acquirer = await createService(harness.server, harness.provider.url, {
    definitionId: 'mock-acquirer',
    currencies: ['EUR'],
  });
  const payload = await harness.create({ amount: 600_001, currency: 'EUR', paymentServiceId: acquirer });
  const { id } = await harness.server.app.db.prisma.operation.findFirstOrThrow({
    where: { transactionId: payload.transaction?.id ?? '' },
  });
  const inbox = await inboxOf(harness, acquirer);
  const before = (await inboundRows(harness)).length;

  await inbox.tell({
    ...{ id: randomUUID(), idempotency_key: id, event: 'authorization.declined', code: 'issuer_decline' },
    ...{ network_response_code: '43', advice_code: '01' },
  });

  expect(await ended(harness, before + 1)).toBe('applied');
  expect(await attemptsOf(payload)).toEqual([
    {
      ...{ ...DECLINED, errorCode: 'refused_transaction' },
      ...{ networkResponseCode: '43', merchantAdviceCode: '01' },
    },
  ]);
});

it('a payment shows the issuer’s approval code with its attempt', async () => {
  const payload = await harness.create();

  const authResponseCode = payload.transaction?.['authResponseCode'];
  expect(authResponseCode).toMatch(/^[A-Z0-9]{6}$/);
  expect(await attemptsOf(payload)).toMatchObject([
    { authResponseCode, networkResponseCode: null, merchantAdviceCode: null },
  ]);
});
