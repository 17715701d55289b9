import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startDispatcher } from '../../../src/modules/events/index.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { relayAll } from '../../support/relay-all.ts';
import { until } from '../../support/until.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import type { DoubleWebhook } from '../double-server.ts';
import { openShop } from '../kit/shop.ts';
import { LATER } from './decisions.ts';
import { TEST_ACCOUNT } from './double.ts';
import { startAdyen } from './start.ts';

// A running service, and a person in the Customer Area of Adyen.

/** Longer than the deadline of Adyen, after which recovery takes over. */
const AFTER_MS = 120_000;
/** The amount that the double refuses. */
const REFUSED = 200_002;

/** The webhooks of changes name the payment here, so a change of a person looks like ours. */
const SETTINGS = { multipleCaptures: true, modificationReference: 'payment' } as const;

const fields = { multiple_captures: 'true' };
const shop = await openShop((now) => startAdyen({ now, ...SETTINGS }), { fields });
const { double, deliver, harness, money } = shop;
beforeEach(() => {
  double.behave();
  double.webhooks();
});

/** Pays at Adyen. Returns our id of the payment, and our reference at Adyen. */
async function paid(input: Readonly<Record<string, unknown>> = {}) {
  const { id } = await shop.paid(input);
  return { id, reference: double.books().at(-1)?.reference ?? '' };
}

/** Captures a new payment as a whole. */
async function captured() {
  const payment = await paid();
  await harness.capture(payment.id);
  await deliver();
  return payment;
}

describe('a refund in the Customer Area', () => {
  let receiver: Receiver;
  let secret: string;
  let dispatcher: ReturnType<typeof startDispatcher>;

  beforeAll(async () => {
    receiver = await startReceiver();
    dispatcher = startDispatcher(harness.server.app);
    ({
      made: { secret },
    } = await harness.ask<{ made: { secret: string } }>(
      `mutation ($input: CreateWebhookEndpointInput!) {
        made: createWebhookEndpoint(input: $input) { secret userErrors { message } } }`,
      { input: { url: receiver.url, eventNames: ['refund.succeeded'] } },
    ));
  });
  afterAll(async () => {
    await dispatcher.stop();
    await receiver.close();
  });

  it('is booked once with one signed webhook for the merchant, although the notice comes twice', async () => {
    const { id, reference } = await captured();
    const since = await harness.since();
    const refund = double.elsewhere.refund(reference);
    const notice = double.webhooks();

    await deliver(notice);
    await deliver(notice);

    expect(await money(id)).toMatchObject({
      ...{ capturedAmount: 1299, refundedAmount: 1299, refundable: { amount: 0 } },
      refunds: [{ amount: 1299, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    });
    expect(await since.eventNames()).toEqual(['refund.succeeded']);
    await relayAll(harness.server.app);
    dispatcher.poke();
    await until(() => receiver.received.length > 0, 'the webhook of the merchant');
    const told = receiver.received.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    );
    expect(told).toMatchObject([
      {
        target: { type: 'refund', transaction_id: id, amount: 1299, origin: 'provider', status: 'succeeded' },
      },
    ]);
    expect(await shop.prisma.delivery.count()).toBe(1);
  });
});

describe('a refund by the button that cancels or refunds', () => {
  const differences = async (transactionId: string): Promise<readonly unknown[]> => {
    const { listed } = await harness.ask<{ listed: { nodes: readonly unknown[] } }>(
      'query ($filter: DifferenceFilter) { listed: differences(filter: $filter) { nodes { finding } } }',
      { filter: { transactionId } },
    );
    return listed.nodes;
  };

  it('is booked if the whole payment was captured', async () => {
    const { id, reference } = await captured();
    const refund = double.elsewhere.cancelOrRefund(reference);

    await deliver();

    expect(await money(id)).toMatchObject({
      ...{ capturedAmount: 1299, refundedAmount: 1299, refundable: { amount: 0 } },
      refunds: [{ amount: 1299, origin: 'PROVIDER', status: 'SUCCEEDED', paymentServiceRefundId: refund }],
    });
    expect(await differences(id)).toEqual([]);
  });

  it('waits for the capture that it follows', async () => {
    const { id, reference } = await paid();
    await harness.capture(id);
    const capture = double.webhooks();
    double.elsewhere.cancelOrRefund(reference);

    await deliver();
    expect(await money(id)).toMatchObject({ capturedAmount: 0, refundedAmount: 0 });
    await deliver(capture);
    await applyAfter(harness, AFTER_MS);

    expect(await money(id)).toMatchObject({ capturedAmount: 1299, refundedAmount: 1299 });
  });

  it.each([
    ['a part was captured', 900, 0],
    ['a part was refunded before', 1299, 400],
  ])('is a difference of unknown amount if %s', async (_, capture, refund) => {
    const { id, reference } = await paid();
    await harness.capture(id, { amount: capture });
    await deliver();
    if (refund > 0) {
      await harness.refund(id, { amount: refund });
      await deliver();
    }
    double.elsewhere.cancelOrRefund(reference);

    await deliver();
    await applyAfter(harness, 2 * 3_600_000);

    expect(await money(id)).toMatchObject({ capturedAmount: capture, refundedAmount: refund });
    expect(await differences(id)).toEqual([{ finding: 'UNKNOWN_AMOUNT' }]);
  });
});

describe('a refund in the Customer Area beside ours of the same amount without an answer', () => {
  /** Refunds 4.00 by a request whose answer is lost. */
  async function unanswered() {
    const payment = await captured();
    double.failNext('lose_answer');
    await harness.refund(payment.id, { amount: 400 });
    return payment;
  }
  const settled = async (): Promise<void> => {
    await reconcileAfter(harness, AFTER_MS);
    await applyAfter(harness, AFTER_MS);
  };

  it('is booked beside ours', async () => {
    const { id, reference } = await unanswered();
    const own = double.webhooks();
    double.elsewhere.refund(reference, 400);

    await deliver([...double.webhooks(), ...own]);
    await settled();

    expect(double.book(reference)).toMatchObject({ refunded: 800 });
    expect(await money(id)).toMatchObject({
      refundedAmount: 800,
      refunds: expect.arrayContaining([
        expect.objectContaining({ amount: 400, origin: 'REQUESTED', status: 'SUCCEEDED' }),
        expect.objectContaining({ amount: 400, origin: 'PROVIDER', status: 'SUCCEEDED' }),
      ]),
    });
  });

  it('is none if the notice is of ours', async () => {
    const { id, reference } = await unanswered();

    await deliver();
    await settled();

    expect(double.book(reference)).toMatchObject({ refunded: 400 });
    expect(await money(id)).toMatchObject({
      refundedAmount: 400,
      refunds: [{ amount: 400, origin: 'REQUESTED', status: 'SUCCEEDED' }],
    });
  });
});

describe('an approval after a refusal', () => {
  const treat = (lateAuthorizations: 'RELEASE' | 'ACCEPT') =>
    harness.ask(
      `mutation ($input: UpdateMerchantAccountInput!) {
        updateMerchantAccount(id: "default", input: $input) { merchantAccount { lateAuthorizations } } }`,
      { input: { lateAuthorizations } },
    );

  it('is released at Adyen once, with events for the merchant', async () => {
    const { id, reference } = await paid({ amount: REFUSED });
    const since = await harness.since();
    double.elsewhere.approve(reference);
    const notice = double.webhooks();

    await deliver(notice);
    await deliver(notice);
    await reconcileAfter(harness, AFTER_MS);
    await deliver();

    expect(double.book(reference)).toMatchObject({
      ...{ status: 'cancelled', authorised: REFUSED, cancelled: REFUSED, captured: 0 },
      modifications: [{ kind: 'reversal', decision: 'succeeded' }],
    });
    expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED', capturable: { amount: 0 } });
    expect(await since.eventNames()).toEqual([
      'transaction.late-authorization',
      'transaction.late-authorization-released',
    ]);
  });

  it('authorises the payment where the merchant account accepts late approvals', async () => {
    await treat('ACCEPT');
    const { id, reference } = await paid({ amount: REFUSED });
    const since = await harness.since();
    double.elsewhere.approve(reference);

    await deliver();
    await treat('RELEASE');

    expect(double.book(reference)).toMatchObject({ status: 'authorised', modifications: [] });
    expect(await money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: REFUSED }, errorCode: null },
    });
    expect(await since.eventNames()).toEqual(['transaction.authorized']);
  });
});

it('an approval of a part holds the payment open until a cancel, and never authorises', async () => {
  const { id, reference } = await paid({ amount: LATER.partlyAuthorised });
  await reconcileAfter(harness, AFTER_MS);
  expect(await money(id)).toMatchObject({ status: 'PROCESSING', capturable: { amount: 0 } });

  await harness.cancel(id);
  await deliver();
  await applyAfter(harness, AFTER_MS);

  expect(double.book(reference)).toMatchObject({ status: 'cancelled', captured: 0 });
  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
});

it('a capture is booked from a body with an unsigned report and without a reference of the merchant', async () => {
  const { id, reference } = await paid();
  const capture = double.elsewhere.capture(reference, 900);
  const [notice] = double.webhooks();
  if (!notice) throw new Error('No webhook of the capture');
  const unnamed = { ...double.sign({ ...notice.item, merchantReference: '' }) };
  const signed = itemsOf(unnamed).map((item) => ({ ...item, merchantReference: null }));
  const report = {
    ...{ eventCode: 'REPORT_AVAILABLE', success: 'true', pspReference: 'settlement_detail_report.csv' },
    ...{ merchantAccountCode: TEST_ACCOUNT.merchantAccount, merchantReference: null, reason: 'a url' },
    ...{ eventDate: notice.item.eventDate, amount: { currency: 'EUR', value: 0 } },
  };
  const notificationItems = [...signed, report].map((item) => ({ NotificationRequestItem: item }));

  await deliver([{ ...notice, body: JSON.stringify({ live: 'false', notificationItems }) }]);

  expect(await money(id)).toMatchObject({
    ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 900 },
    captures: [{ amount: 900, origin: 'PROVIDER' }],
  });
  expect(double.book(reference).modifications).toMatchObject([{ pspReference: capture }]);
});

/** Returns the items of a signed body. */
const itemsOf = ({ body }: DoubleWebhook): readonly object[] =>
  (JSON.parse(body) as { notificationItems: { NotificationRequestItem: object }[] }).notificationItems.map(
    ({ NotificationRequestItem }) => NotificationRequestItem,
  );

it('a final capture of several releases the rest, also after a capture in the Customer Area', async () => {
  const { id, reference } = await paid();
  await harness.capture(id, { amount: 500, final: false });
  await deliver();
  double.elsewhere.capture(reference, 100);
  await deliver();
  expect(double.book(reference)).toMatchObject({ captured: 600, cancelled: 0 });

  await harness.capture(id, { amount: 200 });
  await deliver();

  expect(double.book(reference)).toMatchObject({ authorised: 1299, captured: 800, cancelled: 499 });
  expect(await money(id)).toMatchObject({
    ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 800, capturable: { amount: 0 } },
    captures: expect.arrayContaining([
      { amount: 500, origin: 'REQUESTED' },
      { amount: 100, origin: 'PROVIDER' },
      { amount: 200, origin: 'REQUESTED' },
    ]),
  });
});
