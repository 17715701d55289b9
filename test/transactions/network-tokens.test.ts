import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from './unresolved.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';

const NUMBER = '4895370012003478';
const CRYPTOGRAM = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';
const TOKEN = { number: NUMBER, expirationDate: '12/40', cryptogram: CRYPTOGRAM, eci: '05' };
const RECURRING = { paymentSource: 'RECURRING', merchantInitiated: true, isSubsequentPayment: true };

const SHOWN = `query ($id: ID!) { transaction(id: $id) { status method instrumentType paymentMethod { id }
  card { scheme bin lastFour expirationDate fingerprint } paymentService { id } } }`;

let harness: Harness;
/** It has no network tokens at first, and comes before the other. */
let plain: string;
let enabled: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-card');
  plain = (await harness.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  enabled = await createService(harness.server, harness.provider.url);
  await change(enabled, { networkTokensEnabled: true });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  harness.provider.behave();
  since = await harness.since();
});

async function change(id: string, input: object): Promise<void> {
  const { payload } = await harness.ask<{ payload: { userErrors: unknown[] } }>(
    `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
      payload: updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
    { id, input },
  );
  if (payload.userErrors.length > 0) throw new Error(JSON.stringify(payload.userErrors));
}

const direct = (token: object = {}, input: object = {}, key?: string) =>
  harness.create({ paymentMethod: { networkToken: { ...TOKEN, ...token } }, ...input }, key);

/** Stores a network token, and returns its id. */
async function store(): Promise<string> {
  const { answer } = await harness.ask<{ answer: { paymentMethod: { id: string } } }>(
    `mutation ($input: StorePaymentMethodInput!) { answer: storePaymentMethod(input: $input) {
      paymentMethod { id } userErrors { message } } }`,
    {
      input: {
        instrument: { networkToken: { token: NUMBER, expirationDate: '12/40', cardLastFour: '1111' } },
      },
    },
  );
  return answer.paymentMethod.id;
}

const byStored = (stored: object, input: object = {}) =>
  harness.create({ paymentMethod: { stored }, ...input });
const shown = async (id: string | undefined) =>
  (await harness.ask<{ transaction: Record<string, unknown> }>(SHOWN, { id })).transaction;
const sent = () => harness.provider.calls.at(-1)?.network_token;
const WHOLE = { number: NUMBER, expiry: '12/40', cryptogram: CRYPTOGRAM, eci: '05' };

describe('a stored network token', () => {
  it('pays with a cryptogram at the first service that takes network tokens', async () => {
    const id = await store();

    const { transaction } = await byStored({ id, cryptogram: CRYPTOGRAM, eci: '5' });

    expect(await shown(transaction?.id)).toEqual({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', method: 'network_token', instrumentType: 'NETWORK_TOKEN' },
      paymentMethod: { id },
      card: {
        ...{ scheme: 'visa', bin: null, lastFour: '1111', expirationDate: '12/40' },
        fingerprint: expect.stringMatching(/^\w+/),
      },
      paymentService: { id: enabled },
    });
    expect(sent()).toEqual(WHOLE);
    expect(since.calls()).toEqual(['authorize']);
  });

  it('pays without a cryptogram when the merchant initiates the payment', async () => {
    const id = await store();
    await byStored({ id, cryptogram: CRYPTOGRAM });

    const { transaction } = await byStored({ id }, RECURRING);

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(sent()).toEqual({ ...WHOLE, cryptogram: null, eci: null });
  });

  it('is refused without a cryptogram while the buyer is present, and nothing happens', async () => {
    const id = await store();
    since = await harness.since();

    const { transaction, userErrors } = await byStored({ id });

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      {
        path: ['input', 'paymentMethod', 'stored', 'cryptogram'],
        message:
          'Must be given unless the merchant initiates the payment: the scheme makes a cryptogram for each payment.',
      },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });
});

describe('a network token of one payment', () => {
  it('pays, and is known by its fingerprint', async () => {
    const { transaction } = await direct({ scheme: 'MASTERCARD', cardLastFour: '4444' });
    const again = await direct();

    const first = await shown(transaction?.id);
    expect(first['card']).toMatchObject({ scheme: 'mastercard', bin: null, lastFour: '4444' });
    expect((await shown(again.transaction?.id))['card']).toMatchObject({
      fingerprint: (first['card'] as { fingerprint: string }).fingerprint,
      lastFour: null,
    });
    expect(sent()).toEqual(WHOLE);
  });

  it('is stored on request, and pays again', async () => {
    const { transaction } = await direct({}, { store: true });
    const { paymentMethod } = (await shown(transaction?.id)) as { paymentMethod: { id: string } };

    const { transaction: later } = await byStored({ id: paymentMethod.id }, RECURRING);

    expect(later).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(sent()).toMatchObject({ number: NUMBER, cryptogram: null });
  });

  it.each([
    ['no cryptogram', { cryptogram: null }, 'cryptogram'],
    ['no base64', { cryptogram: 'not base 64!' }, 'cryptogram'],
    ['no number', { number: '4111' }, 'number'],
    ['an expired date', { expirationDate: '12/20' }, 'expirationDate'],
  ])('is refused with %s, and nothing happens', async (_, token, field) => {
    const { transaction, userErrors } = await direct(token);

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([{ path: ['input', 'paymentMethod', 'networkToken', field] }]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is declined, and continues nowhere', async () => {
    const { transaction } = await direct({}, { amount: 200_011 });

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_DECLINED', errorCode: 'insufficient_funds' });
    expect(since.calls()).toEqual(['authorize']);
  });

  it('is sent again after a crash without the cryptogram, which is kept nowhere', async () => {
    const remove = setFailpoint('authorize.called', () => {
      remove();
      throw new Error('The process died.');
    });
    await expect(direct({}, {}, 'network token of a crash')).rejects.toThrow();
    const kept = JSON.stringify(await harness.server.app.db.prisma.operation.findMany({}), (_name, value) =>
      typeof value === 'bigint' ? '' : (value as unknown),
    );

    await reconcileAfter(harness, 60_000);
    const again = await direct({ cryptogram: 'AAAA' }, {}, 'network token of a crash');

    expect(kept).not.toContain(CRYPTOGRAM);
    expect(kept).not.toContain(NUMBER);
    expect(sent()).toEqual({ ...WHOLE, cryptogram: null });
    // A key remembers neither a cryptogram nor a security code.
    expect(again).toMatchObject({ replayed: true, transaction: { status: 'AUTHORIZATION_SUCCEEDED' } });
    expect(since.calls()).toEqual(['authorize', 'authorize']);
  });

  it('pays once when two requests bring one key at once', async () => {
    const both = await Promise.all([direct({}, {}, 'race'), direct({}, {}, 'race')]);

    expect(new Set(both.map(({ transaction }) => transaction?.id)).size).toBe(1);
    expect(since.calls()).toEqual(['authorize']);
  });
});

describe('routing', () => {
  it('passes over services without network tokens, and refuses when there is no other', async () => {
    const { explainRouting: explained } = await harness.ask<{ explainRouting: { considered: unknown[] } }>(
      `{ explainRouting(input: { currency: "USD", method: "network_token" }) {
        considered { paymentService { id } reasons { code } } } }`,
    );

    const { userErrors } = await direct({}, { paymentServiceId: plain });

    expect(explained.considered).toEqual([
      { paymentService: { id: plain }, reasons: [{ code: 'NETWORK_TOKENS' }] },
      { paymentService: { id: enabled }, reasons: [] },
    ]);
    expect(userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE', message: expect.stringContaining('takes no network tokens') },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });
});
