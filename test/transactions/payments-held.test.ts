import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { payLink } from '../../src/modules/payment-links/index.ts';
import {
  ACCEPTANCES,
  holdPayments,
  keepRefundApprovals,
  readProgress,
  releasePayments,
} from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startLinks, type LinksHarness } from '../payment-links/harness.ts';
import { send, visit } from '../payment-links/form.ts';
import { restClient } from '../rest/client.ts';
import type { TestServer } from '../support/server.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';
import { someone } from './refund-people.ts';
import { reconcileAfter } from './unresolved.ts';

let harness: Harness;
let since: Since;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer', { settings: { PAYGRAPH_REFUND_APPROVAL: 'USD:500' } });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});
afterEach(() => release(harness.server));

const hold = ({ app }: Pick<TestServer, 'app'>): Promise<boolean> =>
  holdPayments(app, { restoredTo: app.clock.now(), paymentsSince: null });

const release = ({ app }: Pick<TestServer, 'app'>) => releasePayments(app, ACCEPTANCES);

const REFUSED = {
  transaction: null,
  userErrors: [
    {
      ...{ __typename: 'PaymentsHeld', code: 'PAYMENTS_HELD', path: [] },
      message: expect.stringContaining('Nothing was done. Send the request again later') as unknown,
    },
  ],
};

describe('while payments are held back', () => {
  it.each<[string, () => Promise<string>, (id: string, key: string) => Promise<unknown>]>([
    ['a payment', async () => '', (_, key) => harness.create({ amount: 1000 }, key)],
    ['an increase', () => harness.authorized(1000), (id, key) => harness.increase(id, { amount: 10 }, key)],
    ['a renewal', () => harness.authorized(1000), (id, key) => harness.reauthorize(id, key)],
    ['a capture', () => harness.authorized(1000), (id, key) => harness.capture(id, {}, key)],
    ['a refund', () => harness.captured(1000), (id, key) => harness.refund(id, {}, key)],
    ['a void', () => harness.authorized(1000), (id, key) => harness.void(id, key)],
    ['a cancel', () => pending(), (id, key) => harness.cancel(id, key)],
  ])('%s is refused and leaves nothing, and its key works after the hold', async (_, make, act) => {
    const [id, key] = [await make(), randomUUID()];
    const [during, before] = [await harness.since(), id && (await harness.transaction(id))];
    await hold(harness.server);

    expect(await act(id, key)).toMatchObject(REFUSED);

    expect([during.calls(), await during.eventNames()]).toEqual([[], []]);
    expect(id && (await harness.transaction(id))).toEqual(before);
    await release(harness.server);
    expect(await act(id, key)).toMatchObject({ userErrors: [], replayed: false });
    expect(during.calls()).toHaveLength(1);
  });

  it('a repeat gets its stored answer', async () => {
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 400 }, 'stored');
    await hold(harness.server);

    expect(await harness.capture(id, { amount: 400 }, 'stored')).toMatchObject({
      ...{ replayed: true, operation: { status: 'SUCCEEDED' }, userErrors: [] },
    });
    expect((await harness.capture(id, { amount: 401 }, 'stored')).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED' },
    ]);
  });

  it('the REST paths answer 503', async () => {
    await hold(harness.server);
    const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40', security_code: '1' };
    const payment = {
      amount: 100,
      currency: 'USD',
      country: 'US',
      payment_method: { ...card, security_code: '123' },
    };

    const { status, body } = await restClient(harness.server)('POST /transactions', payment);

    expect([status, body.reason]).toEqual([503, 'payments_held']);
    expect(since.calls()).toEqual([]);
  });

  /** Makes a payment whose authorisation has no outcome. */
  async function pending(): Promise<string> {
    harness.provider.failNext('lose_request');
    const { transaction } = await harness.create({ amount: 1000 });
    return transaction?.id ?? '';
  }
});

describe('an operation without an outcome, while payments are held back', () => {
  it('is settled if the provider knows it', async () => {
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    await harness.capture(id);
    await hold(harness.server);

    await reconcileAfter(harness, 60_000);

    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 1000 });
    expect(since.calls()).toEqual(['authorize', 'capture', 'status']);
  });

  it('is asked about at once, and keeps the hold', async () => {
    const { app } = harness.server;
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    await harness.capture(id);
    await hold(harness.server);

    expect(await releasePayments(app, ['unproven'])).toMatchObject({
      refusals: expect.arrayContaining([{ doubt: 'unknown', count: 1 }]) as unknown,
    });
    await reconcileAfter(harness, 0);

    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 1000 });
    const { unknown } = (await readProgress(app)) ?? {};
    expect(unknown).toBe(0);
  });

  it('is not sent again, and is sent after the hold', async () => {
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_request');
    await harness.capture(id);
    await hold(harness.server);

    await reconcileAfter(harness, 60_000);

    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 0 });
    expect(since.calls()).toEqual(['authorize', 'capture', 'status']);
    await release(harness.server);
    await reconcileAfter(harness, 60_000);
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 1000 });
  });
});

/** The provider fails an authorisation of this amount, and the next payment service follows. */
const SERVICE_ERROR = 300_013;

it('a payment that began before the hold is not sent to a second payment service', async () => {
  await createService(harness.server, harness.provider.url, { displayName: 'Second' });
  const remove = setFailpoint('authorize.rerouting', async () => void (await hold(harness.server)));

  const { transaction } = await harness.create({ amount: SERVICE_ERROR }).finally(remove);

  expect(since.calls()).toEqual(['authorize']);
  expect(transaction?.status).toBe('AUTHORIZATION_FAILED');
});

it('an approved refund waits for the end of the hold', async () => {
  const [kim, robin] = [
    await someone(harness.server, 'kim@shop.example'),
    await someone(harness.server, 'robin@shop.example'),
  ];
  const id = await harness.captured(1000);
  const { approval } = await kim.refund(id, { amount: 600 });
  await hold(harness.server);

  const { userErrors } = await robin.approve(approval?.id ?? '');

  expect(userErrors).toMatchObject([{ code: 'PAYMENTS_HELD' }]);
  await release(harness.server);
  await harness.pass(61_000);
  await keepRefundApprovals(harness.server.app);
  expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 600 });
});

it('a second hold is refused, and so is the end without one', async () => {
  expect([await hold(harness.server), await hold(harness.server)]).toEqual([true, false]);
  expect(await release(harness.server)).toMatchObject({ ok: true, value: [{ doubt: 'comparing' }] });
  expect(await release(harness.server)).toEqual({ ok: true, value: null });
});

describe('a payment link, while payments are held back', () => {
  let links: LinksHarness;
  beforeAll(async () => {
    links = await startLinks();
  });
  afterAll(() => links.stop());
  afterEach(() => release(links.server));

  it('takes no payment, stays active, and is paid after the hold', async () => {
    const link = await links.made();
    await hold(links.server);

    const page = await visit(link);
    const fields = { method: 'card', number: '4111111111111111', expiry: '12/40', security_code: '100' };
    const reply = await send(link, page, fields);

    expect([reply.status, links.provider.calls]).toEqual([422, []]);
    expect(reply.html).not.toContain('4111111111111111');
    expect(await links.read(link.id)).toMatchObject({ status: 'ACTIVE', transactions: [] });
    await release(links.server);
    const card = { number: '4111111111111111', expirationDate: '12/40', securityCode: '100' };
    const found = await links.found(link);
    expect(await payLink(links.server.app, found, { paymentMethod: { card } })).toMatchObject({ ok: true });
  });
});
