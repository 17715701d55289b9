import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from './unresolved.ts';
import { createService, startHarness, type Harness, type Payload, type Since } from './harness.ts';

const SHOWN = `query ($id: ID!) { transaction(id: $id) { status method instrumentType errorCode rawResponseDescription
  card { scheme bin lastFour expirationDate fingerprint country } paymentService { id } } }`;

/** The text of a real wallet's token, with spaces that must stay. */
const REAL = '{ "data": "c2VjcmV0LXBheW1lbnQtZGF0YQ==",  "version": "EC_v1" }';

const WALLETS = [
  ['Apple Pay', 'applePay', 'apple_pay', 'applepay'],
  ['Google Pay', 'googlePay', 'google_pay', 'googlepay'],
] as const;

let harness: Harness;
/** It takes both wallets, and decides some amounts later. */
let acquirer: string;
/** It takes Apple Pay alone. */
let appleOnly: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  acquirer = (await harness.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  appleOnly = await createService(harness.server, harness.provider.url, { definitionId: 'mockds-card' });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  harness.provider.behave();
  since = await harness.since();
});

const walletOf = (name: string) => JSON.stringify({ sandbox: name });
const pay = (field: string, token: string, input: object = {}, key?: string): Promise<Payload> =>
  harness.create({ paymentMethod: { [field]: { token } }, ...input }, key);
const shown = async (id: string | undefined) =>
  (await harness.ask<{ transaction: unknown }>(SHOWN, { id })).transaction;
/** Returns the wallets that the provider received, in order. */
const sent = () => harness.provider.calls.flatMap(({ wallet }) => wallet ?? []);
/** Lets the process die once at a point. */
const dieAt = (point: string) => {
  const remove = setFailpoint(point, () => {
    remove();
    throw new Error('The process died.');
  });
};
const operations = (id: string) =>
  harness.server.app.db.prisma.operation.findMany({ where: { transactionId: id } });

describe.each(WALLETS)('a payment with %s', (_, field, type, method) => {
  it('goes to the provider unchanged, and shows the card that the provider names', async () => {
    const { transaction } = await pay(field, walletOf('mastercard'));

    expect(await shown(transaction?.id)).toEqual({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', method, instrumentType: method.toUpperCase(), errorCode: null },
      rawResponseDescription: 'Approved',
      card: {
        ...{ scheme: 'mastercard', bin: '55555555', lastFour: '4444', expirationDate: '12/40' },
        ...{ fingerprint: null, country: 'GB' },
      },
      paymentService: { id: acquirer },
    });
    expect(sent().at(-1)).toEqual({ type, token: walletOf('mastercard') });
    expect(since.calls()).toEqual(['authorize']);
    expect(await since.eventNames()).toEqual(['transaction.authorized']);
  });

  it('is declined with a sentence if the sandbox does not know the token', async () => {
    const { transaction } = await pay(field, REAL);

    expect(await shown(transaction?.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_DECLINED', errorCode: 'unknown_payment_method', card: null },
      rawResponseDescription:
        'The sandbox does not know this token. The page about the sandbox lists its tokens.',
    });
    expect(sent().at(-1)).toEqual({ type, token: REAL });
  });

  it('is declined by a card without money, which the answer shows', async () => {
    const { transaction } = await pay(field, walletOf('visa_declined'));

    expect(await shown(transaction?.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_DECLINED', errorCode: 'insufficient_funds' },
      card: { scheme: 'visa', lastFour: '0002' },
    });
  });

  it.each([
    ['no JSON', 'eyJhbGciOi', 'Must be the JSON text of an object, as the wallet gave it.'],
    ['no object', '["data"]', 'Must be the JSON text of an object, as the wallet gave it.'],
    ['too long', `{"data":"${'x'.repeat(10_000)}"}`, 'Must be 1 to 10000 characters.'],
  ])('is refused with a token that is %s, and nothing happens', async (_what, token, message) => {
    const { transaction, userErrors } = await pay(field, token);

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([{ message, path: ['input', 'paymentMethod', field, 'token'] }]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is refused together with data of an authentication elsewhere', async () => {
    const dataV2 = {
      ...{ cavv: 'AAAA', eci: '05', version: '2.2.0', directoryResponse: 'Y' },
      directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
    };

    const { userErrors } = await pay(field, walletOf('visa'), { threeDSecure: { dataV2 } });

    expect(userErrors.map(({ path }) => path)).toEqual([['input', 'threeDSecure', 'dataV2']]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is decided later, and settles', async () => {
    const { transaction } = await pay(field, walletOf('visa'), { amount: 600_001 });
    expect(transaction).toMatchObject({ status: 'PROCESSING' });

    await harness.pass(61_000);
    await reconcileDue(harness.server.app);

    expect(await shown(transaction?.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(since.calls()).toEqual(['authorize', 'status']);
  });

  it('is answered again under its key, and refused with another token', async () => {
    const key = `${field} of a replay`;
    const { transaction } = await pay(field, walletOf('visa'), {}, key);

    const again = await pay(field, walletOf('visa'), {}, key);
    const other = await pay(field, walletOf('amex'), {}, key);

    expect(again).toMatchObject({ transaction: { id: transaction?.id }, replayed: true });
    expect(other.userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: [`input.paymentMethod.${field}.token`] },
    ]);
    expect(since.calls()).toEqual(['authorize']);
  });

  it('is sent again with the same token after a crash, and its token is forgotten', async () => {
    dieAt('authorize.called');
    await expect(pay(field, walletOf('visa'))).rejects.toThrow();
    const [first] = sent().slice(-1);
    const pending = await harness.server.app.db.prisma.operation.findFirstOrThrow({
      where: { status: 'pending' },
    });
    expect(pending.sealedCard).not.toBeNull();
    expect(JSON.stringify(pending.sealedCard)).not.toContain('visa');

    await reconcileAfter(harness, 60_000);

    expect(await shown(pending.transactionId)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', card: { lastFour: '1111' } },
    });
    expect(sent().at(-1)).toEqual(first);
    expect(await operations(pending.transactionId)).toMatchObject([{ sealedCard: null }]);
    expect(since.calls()).toEqual(['authorize', 'authorize']);
  });

  it('pays once when two requests bring one key at once', async () => {
    const both = await Promise.all([
      pay(field, walletOf('visa'), {}, `${field} of a race`),
      pay(field, walletOf('visa'), {}, `${field} of a race`),
    ]);

    expect(new Set(both.map(({ transaction }) => transaction?.id)).size).toBe(1);
    expect(both.map(({ replayed }) => replayed).toSorted()).toEqual([false, true]);
    expect(since.calls()).toEqual(['authorize']);
  });

  it('leaves no trace of its token', async () => {
    const { prisma } = harness.server.app.db;
    const { transaction } = await pay(field, REAL, {}, `${field} without a trace`);
    const rows = await Promise.all([
      prisma.transaction.findMany({}),
      prisma.operation.findMany({}),
      prisma.event.findMany({}),
      prisma.historyEntry.findMany({}),
      prisma.idempotencyKey.findMany({}),
    ]);

    const kept = JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? '' : value));
    expect(kept).toContain(transaction?.id);
    expect(kept).not.toContain('c2VjcmV0LXBheW1lbnQtZGF0YQ');
    expect(harness.server.logs()).not.toContain('c2VjcmV0LXBheW1lbnQtZGF0YQ');
  });
});

describe('routing', () => {
  const explain = (input: object) =>
    harness.ask<{ explainRouting: Explained }>(
      `query ($input: ExplainRoutingInput!) { explainRouting(input: $input) {
        candidates { paymentService { id } } considered { paymentService { id } reasons { code } } } }`,
      { input: { currency: 'USD', ...input } },
    );

  it('passes over a service that does not take the wallet', async () => {
    const { explainRouting: explained } = await explain({ method: 'googlepay' });

    expect(explained.candidates).toEqual([{ paymentService: { id: acquirer } }]);
    expect(explained.considered).toContainEqual({
      paymentService: { id: appleOnly },
      reasons: [{ code: 'GOOGLE_PAY' }],
    });
  });

  it('refuses the payment when no service takes the wallet, with the reason', async () => {
    const { transaction, userErrors } = await pay('googlePay', walletOf('visa'), {
      paymentServiceId: appleOnly,
    });

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      {
        code: 'NO_PAYMENT_SERVICE',
        message: expect.stringContaining('takes no tokens of Google Pay (feature google_pay).'),
      },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('continues at the next service with the same token', async () => {
    const { transaction } = await pay('applePay', walletOf('visa'), { amount: 300_013 });

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED' });
    expect((await operations(transaction?.id ?? '')).map((each) => each.paymentServiceId)).toEqual([
      acquirer,
      appleOnly,
    ]);
    expect(
      sent()
        .slice(-2)
        .map(({ token }) => token),
    ).toEqual([walletOf('visa'), walletOf('visa')]);
  });
});

type Explained = {
  readonly candidates: readonly unknown[];
  readonly considered: readonly unknown[];
};
