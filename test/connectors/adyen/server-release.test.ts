import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAdyen } from '../../../src/connectors/adyen/index.ts';
import { setFailpoint } from '../../../src/platform/failpoint.ts';
import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { CARD, startHarness, type Harness } from '../../transactions/harness.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { postWebhooks, type DoubleServer } from '../double-server.ts';
import { createAdyenDouble, TEST_ACCOUNT, TEST_HMAC_KEY, type AdyenDouble } from './double.ts';

const AFTER_MS = 120_000;
/** Longer than the storing process owns a webhook. */
const APPLIED_MS = 12_000;

let harness: Harness;
let double: AdyenDouble;
let server: DoubleServer;

beforeAll(async () => {
  const clock = createShiftedClock();
  double = createAdyenDouble({ now: () => clock.now(), multipleCaptures: true });
  server = await double.listen();
  const hosts = () => ({ checkout: `${server.url}/v71`, disputes: server.url, reports: server.url });
  const connectors = [...sandboxConnectors, createAdyen({ hosts })];
  harness = await startHarness('mock-card', { clock, connectors });
});
afterAll(async () => {
  await harness.stop();
  await server.close();
});
beforeEach(() => {
  double.behave();
  double.webhooks();
});

const FIELDS = {
  ...{ api_key: TEST_ACCOUNT.apiKey, merchant_account: TEST_ACCOUNT.merchantAccount },
  ...{ hmac_key: TEST_HMAC_KEY, raw_card_data: 'true' },
};

/** Creates a payment service, and returns its id and the address of its webhooks. */
async function serviceWith(fields: Readonly<Record<string, string>> = { multiple_captures: 'true' }) {
  const { payload } = await harness.ask<{ payload: { service: { id: string; webhookUrl: string } } }>(
    `mutation ($input: CreatePaymentServiceInput!) {
      payload: createPaymentService(input: $input) { service: paymentService { id webhookUrl } } }`,
    {
      input: {
        ...{ displayName: 'Adyen', paymentServiceDefinitionId: 'adyen-card', acceptedCurrencies: ['EUR'] },
        fields: Object.entries({ ...FIELDS, ...fields }).map(([key, value]) => ({ key, value })),
        acceptedCountries: ['US', 'DE'],
      },
    },
  );
  return payload.service;
}

/** Authorises 12.99 at a service of its own. */
async function authorised(fields?: Readonly<Record<string, string>>) {
  const { id: paymentServiceId, webhookUrl } = await serviceWith(fields);
  const { transaction } = await harness.create({
    ...{ amount: 1299, currency: 'EUR', paymentMethod: { card: CARD }, paymentServiceId },
  });
  const id = transaction?.id ?? '';
  return {
    id,
    book: () => double.books().at(-1),
    /** Delivers webhooks, and applies those that waited. */
    deliver: async (webhooks = double.webhooks()): Promise<void> => {
      expect(new Set(await postWebhooks(webhookUrl, webhooks))).toEqual(new Set([200]));
      await applyAfter(harness, APPLIED_MS);
    },
    show: () => harness.transaction(id),
  };
}

/** The request of a release. */
const RELEASE = /\/cancels$/;

const cancelsOf = () =>
  double
    .books()
    .at(-1)
    ?.modifications.filter(({ kind }) => kind === 'cancel') ?? [];
const CAPTURED = { status: 'CAPTURE_SUCCEEDED' };

describe('a final capture at Adyen that leaves a rest', () => {
  it('releases the rest, and books only the captures', async () => {
    const payment = await authorised();
    await harness.capture(payment.id, { amount: 500, final: false });
    await payment.deliver();
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 0 });
    await harness.capture(payment.id, { amount: 300 });
    await payment.deliver();

    expect(payment.book()).toMatchObject({ authorised: 1299, captured: 800, cancelled: 499 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 800 });
    const names = await harness.eventNames();
    expect(names.filter((name) => /voided|expired/.test(name))).toEqual([]);
    expect(await harness.capture(payment.id, { amount: 100 })).toMatchObject({
      userErrors: [{ code: 'OPERATION_NOT_ALLOWED' }],
    });
  });

  it('releases the rest of a single capture, also with webhooks in the reverse order', async () => {
    const payment = await authorised();
    await harness.capture(payment.id, { amount: 500 });

    await payment.deliver(double.webhooks().toReversed());
    await applyAfter(harness, AFTER_MS);

    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 799 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
  });

  it.each([
    ['of the whole rest', { multiple_captures: 'true' }, {}],
    ['without several captures', {}, { amount: 500 }],
  ])('sends no release after a capture %s', async (_, fields, input) => {
    const payment = await authorised(fields);
    await harness.capture(payment.id, input);

    expect(cancelsOf()).toEqual([]);
  });

  it('keeps the rest for a capture that is not the last', async () => {
    const payment = await authorised();
    await harness.capture(payment.id, { amount: 500, final: false });
    await payment.deliver();

    expect(cancelsOf()).toEqual([]);
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 0 });
  });

  it('is repeated under its own keys after the end of the process between both requests', async () => {
    const payment = await authorised();
    double.failNextOf(RELEASE, 'lose_request', 'lose_request');
    const restore = setFailpoint('capture.called', () => {
      throw new Error('The process ends');
    });
    await expect(harness.capture(payment.id, { amount: 500 })).rejects.toThrow();
    restore();
    expect(cancelsOf()).toEqual([]);

    await reconcileAfter(harness, AFTER_MS);
    await payment.deliver();

    expect(cancelsOf()).toHaveLength(1);
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 799 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
  });

  it('releases once after a lost answer', async () => {
    const payment = await authorised();
    double.failNextOf(RELEASE, 'lose_answer');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();

    expect(cancelsOf()).toHaveLength(1);
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 799 });
  });

  it('succeeds although nobody answered the release', async () => {
    const payment = await authorised();
    double.failNextOf(RELEASE, 'lose_request', 'lose_request');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();

    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 0 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
  });

  it('keeps the event of a release that Adyen could not make', async () => {
    const payment = await authorised();
    double.decideNext('cancel', 'fails');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();

    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
    const rows = await harness.server.app.db.prisma.historyEntry.findMany({
      where: { transactionId: payment.id },
    });
    expect(JSON.stringify(rows)).toContain('unknown_operation');
  });

  it('ends the payment where Adyen could not make the capture', async () => {
    const payment = await authorised();
    double.decideNext('capture', 'fails');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();
    await applyAfter(harness, AFTER_MS);

    expect(payment.book()).toMatchObject({ captured: 0, status: 'cancelled' });
    expect(await payment.show()).toMatchObject({ status: 'AUTHORIZATION_VOIDED', capturedAmount: 0 });
  });
});
