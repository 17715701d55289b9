import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAdyen } from '../../../src/connectors/adyen/index.ts';
import { differencesOf, enableSettlements, linesOf, settleAfter } from '../../settlements/settle-after.ts';
import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { CARD, startHarness, type Harness } from '../../transactions/harness.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { postWebhooks, type DoubleServer } from '../double-server.ts';
import { createAdyenDouble, TEST_ACCOUNT, TEST_HMAC_KEY, type AdyenDouble } from './double.ts';

// A running service whose webhooks are lost, and a person in Adyen's Customer Area. The settlement reports alone tell.

let harness: Harness;
let double: AdyenDouble;
let server: DoubleServer;
let serviceId: string;
let inbox: string;

const FIELDS = {
  ...{ api_key: TEST_ACCOUNT.apiKey, merchant_account: TEST_ACCOUNT.merchantAccount },
  ...{ hmac_key: TEST_HMAC_KEY, raw_card_data: 'true', multiple_captures: 'true' },
};
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  const clock = createShiftedClock();
  double = createAdyenDouble({ now: () => clock.now(), multipleCaptures: true, captureDelay: 'manual' });
  server = await double.listen();
  const reports = `${server.url}/reports/download/MerchantAccount`;
  const hosts = () => ({ checkout: `${server.url}/v71`, disputes: server.url, reports });
  const connectors = [...sandboxConnectors, createAdyen({ hosts })];
  harness = await startHarness('mock-card', { clock, connectors });
  const { payload } = await harness.ask<{ payload: { service: { id: string; webhookUrl: string } } }>(
    `mutation ($input: CreatePaymentServiceInput!) {
      payload: createPaymentService(input: $input) { service: paymentService { id webhookUrl } } }`,
    {
      input: {
        ...{ displayName: 'Adyen', paymentServiceDefinitionId: 'adyen-card', acceptedCurrencies: ['EUR'] },
        fields: Object.entries(FIELDS).map(([key, value]) => ({ key, value })),
        acceptedCountries: ['US', 'DE'],
      },
    },
  );
  ({ id: serviceId, webhookUrl: inbox } = payload.service);
  await enableSettlements(harness, serviceId);
  await settleAfter(harness, 0);
});
afterAll(async () => {
  await harness.stop();
  await server.close();
});

/** Authorises 12.99. Returns our id of the payment, and the reference that Adyen knows. */
async function authorized() {
  const { transaction } = await harness.create({
    ...{ amount: 1299, currency: 'EUR', paymentMethod: { card: CARD }, paymentServiceId: serviceId },
  });
  const id = transaction?.id ?? '';
  const { prisma } = harness.server.app.db;
  const operation = await prisma.operation.findFirstOrThrow({ where: { transactionId: id } });
  double.webhooks();
  return { id, reference: operation.providerKey ?? operation.id };
}

/** Captures everything, as the merchant asked. */
async function captured() {
  const payment = await authorized();
  await harness.capture(payment.id);
  await deliver();
  return payment;
}

async function deliver(webhooks = double.webhooks()): Promise<void> {
  await postWebhooks(inbox, webhooks);
  await applyAfter(harness, 12_000);
}

const booked = async (transactionId: string): Promise<readonly string[]> =>
  (
    await harness.server.app.db.prisma.operation.findMany({
      where: { transactionId, kind: { in: ['capture', 'refund'] }, status: 'succeeded' },
      orderBy: { id: 'asc' },
    })
  ).map(({ origin, kind, amount }) => `${origin} ${kind} ${amount}`);

describe('an operation in the Customer Area whose webhook is lost', () => {
  it('is a refund of the report, booked and settled once', async () => {
    const { id, reference } = await captured();
    double.elsewhere.refund(reference, 400);
    const late = double.webhooks();
    double.closeBatch();

    await settleAfter(harness, HOUR_MS);

    expect(await booked(id)).toEqual(['requested capture 1299', 'provider refund 400']);
    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 400, refundable: { amount: 899 } });
    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 1299, null],
      ['REFUND', -400, null],
    ]);
    await deliver(late);
    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 400 });
  });

  it('is a capture of the report', async () => {
    const { id, reference } = await authorized();
    double.elsewhere.capture(reference, 900);
    double.webhooks();
    double.closeBatch();

    await settleAfter(harness, HOUR_MS);

    expect(await booked(id)).toEqual(['provider capture 900']);
    expect(await linesOf(harness, id)).toEqual([['CHARGE', 900, null]]);
  });
});

it('a line of our own refund decides it an hour later, if its webhook is lost', async () => {
  const { id } = await captured();
  await harness.refund(id, { amount: 400 });
  double.webhooks();
  double.closeBatch();
  await settleAfter(harness, HOUR_MS);
  expect(await booked(id)).toEqual(['requested capture 1299']);

  await settleAfter(harness, 2 * HOUR_MS);
  await settleAfter(harness, HOUR_MS);

  expect(await booked(id)).toEqual(['requested capture 1299', 'requested refund 400']);
  expect(await linesOf(harness, id)).toEqual([
    ['CHARGE', 1299, null],
    ['REFUND', -400, null],
  ]);
});

describe('instalments', () => {
  it('of one capture are no difference, and settle it together', async () => {
    const { id } = await captured();
    for (const instalment of [500, 500, 500]) double.closeBatch({ instalment });

    await settleAfter(harness, HOUR_MS);

    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 500, null],
      ['CHARGE', 500, null],
      ['CHARGE', 299, null],
    ]);
    const { prisma } = harness.server.app.db;
    expect(
      await prisma.settlement.count({ where: { transactionId: id, ledgerEntryId: { not: null } } }),
    ).toBe(1);
    expect(await differencesOf(harness, id)).toEqual([]);
  });

  it('of a capture that nobody told are listed once, and end with its webhook', async () => {
    const { id, reference } = await authorized();
    double.elsewhere.capture(reference, 900);
    const late = double.webhooks();
    for (const instalment of [500, 500]) double.closeBatch({ instalment });
    await settleAfter(harness, HOUR_MS);
    expect(await booked(id)).toEqual([]);
    const listed = { finding: 'UNKNOWN_OPERATION', source: 'SETTLEMENT', adoptable: false };
    expect(await differencesOf(harness, id)).toEqual([
      { ...listed, state: 'OPEN', reported: { amount: 500 } },
    ]);

    await deliver(late);
    await settleAfter(harness, HOUR_MS);

    expect(await booked(id)).toEqual(['provider capture 900']);
    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 500, null],
      ['CHARGE', 400, null],
    ]);
    expect(await differencesOf(harness, id)).toMatchObject([{ ...listed, state: 'RESOLVED' }]);
  });
});
