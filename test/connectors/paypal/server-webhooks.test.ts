import { afterEach, describe, expect, it } from '@jest/globals';
import { openPayPalServer, type Shown } from './server-harness.ts';
import type { PayPalEvent } from './world.ts';

const paypal = await openPayPalServer();
afterEach(() => {
  paypal.double.behave();
  paypal.double.webhooks();
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Lets the buyer approve at PayPal without coming back. Returns the address to which PayPal sends the buyer. */
const approve = ({ paymentServiceTransactionId: order }: Shown): string =>
  paypal.double.hands.decide(order ?? '', 'approve') ?? '';

/** Delivers the webhooks that PayPal owes, and lets them take effect. */
async function deliverAll(): Promise<void> {
  expect(new Set(await paypal.deliver())).toEqual(new Set([200]));
  await paypal.applied();
  await paypal.reconcile(0);
}

/** Counts the requests that complete the order of a payment. */
const completions = ({ paymentServiceTransactionId: order }: Shown): number =>
  paypal.double.requests.filter(({ path }) => path.startsWith(`/v2/checkout/orders/${order}/`)).length;

const stored = () => paypal.server.app.db.prisma.inboundWebhook.count();

describe('a buyer who approved', () => {
  it.each([
    ['AUTHORIZE', 'AUTHORIZATION_SUCCEEDED', { authorized: 1299, captured: 0 }],
    ['CAPTURE', 'CAPTURE_SUCCEEDED', { captured: 1299 }],
  ])('and never comes back has paid (%s)', async (intent, status, book) => {
    const payment = await paypal.create({ intent });
    approve(payment);

    await deliverAll();

    expect(await paypal.show(payment.id)).toMatchObject({ status });
    expect(paypal.bookOf(payment)).toMatchObject(book);
    expect(completions(payment)).toBe(1);
  });

  it('and comes back at the moment of the webhook pays once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const payment = await paypal.create();
      const back = approve(payment);
      const buyer = () => fetch(back, { redirect: 'manual' });
      const webhook = () => paypal.deliver();
      const order = round % 2 === 0 ? [buyer, webhook, buyer] : [webhook, buyer, webhook];

      await Promise.all([...order.map((act) => act()), paypal.reconcile(0)]);
      await paypal.applied();
      await paypal.reconcile(2_000);

      expect(await paypal.show(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
      expect(paypal.bookOf(payment)).toMatchObject({ authorized: 1299, held: 1299 });
      expect(completions(payment)).toBe(1);
    }
  });

  it('after a return without a decision has paid by the webhook', async () => {
    const payment = await paypal.create();
    const { returnUrl } = paypal.double.requests.map(({ body }) => returnUrlIn(body)).findLast(isFound) ?? {};
    await fetch(returnUrl ?? '', { redirect: 'manual' });
    expect((await paypal.show(payment.id)).status).toBe('BUYER_APPROVAL_PENDING');
    approve(payment);

    await deliverAll();

    expect(await paypal.show(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  });

  it('pays once, although the answer to the completion was lost', async () => {
    const payment = await paypal.create({ intent: 'CAPTURE' });
    approve(payment);
    paypal.double.failNext(['lose_answer'], 'POST /v2/checkout/orders/');

    await deliverAll();
    expect((await paypal.show(payment.id)).status).toBe('BUYER_APPROVAL_PENDING');
    await paypal.reconcile(2 * MINUTE_MS);

    expect(await paypal.show(payment.id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(paypal.bookOf(payment)).toMatchObject({ captured: 1299, captures: [{ amount: 1299 }] });
  });

  it('pays nothing after a cancel, after the time, and before the client completes its session', async () => {
    const cancelled = await paypal.create();
    await paypal.cancel(cancelled.id);
    const late = await paypal.create();
    const session = await paypal.create({ integrationClient: 'WEB' });
    approve(session);
    await deliverAll();
    approve(cancelled);
    approve(late);
    const { prisma } = paypal.server.app.db;
    const past = new Date(0);
    await prisma.approval.updateMany({
      where: { operation: { transactionId: late.id } },
      data: { expiresAt: past },
    });

    await deliverAll();

    for (const payment of [cancelled, late, session]) expect(completions(payment)).toBe(0);
    expect((await paypal.show(cancelled.id)).status).toBe('AUTHORIZATION_FAILED');
    expect((await paypal.show(session.id)).status).toBe('BUYER_APPROVAL_PENDING');
  });
});

type Found = { readonly returnUrl: string };
const returnUrlIn = (body: string): Found | null => {
  const [, returnUrl] = /"return_url":"([^"]+)"/.exec(body) ?? [];
  return returnUrl === undefined ? null : { returnUrl };
};
const isFound = (found: Found | null): found is Found => found !== null;

describe('webhooks with a fetched certificate', () => {
  /** Pays, and loses the answer to a capture, so that only webhooks tell the outcome. */
  async function capturing() {
    const payment = await paypal.create();
    await paypal.decide(payment, 'approve');
    paypal.double.webhooks();
    paypal.double.failNext(['lose_answer'], /^POST .*\/capture/);
    await paypal.capture(payment.id);
    expect(await paypal.show(payment.id)).toMatchObject({ capturedAmount: 0 });
    return payment;
  }
  const ledgerOf = async (transactionId: string) =>
    (
      await paypal.server.app.db.prisma.ledgerEntry.findMany({
        where: { transactionId },
        orderBy: { id: 'asc' },
      })
    ).map(({ kind, amount }) => `${kind} ${amount}`);

  it('count once each, and the certificate is fetched once', async () => {
    await paypal.reconcile(2 * 60 * MINUTE_MS);
    const payment = await capturing();
    const [before, fetched] = [await stored(), paypal.fetched.length];
    const owed = paypal.double.webhooks();

    expect(await paypal.deliver([...owed, ...owed])).toEqual([200, 200]);
    await paypal.applied();

    expect((await stored()) - before).toBe(owed.length);
    expect(paypal.fetched.length - fetched).toBe(1);
    expect(await paypal.show(payment.id)).toMatchObject({ capturedAmount: 1299 });
    expect(await ledgerOf(payment.id)).toEqual(['authorize 1299', 'capture 1299']);
  });

  it('lead to the same end in any order', async () => {
    const payment = await capturing();
    const { captures } = paypal.bookOf(payment) ?? {};
    paypal.double.hands.reverse(captures?.[0]?.id ?? '');
    const owed = paypal.double.webhooks();
    expect(owed.map(({ type }) => type)).toEqual(['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.REVERSED']);

    expect(await paypal.deliver(owed.toReversed())).toEqual([200, 200]);
    await paypal.applied();
    // Each pause of a webhook that waits is as long as its wait so far.
    for (let round = 0; round < 3; round += 1) await paypal.reconcile(5 * MINUTE_MS);

    expect(await paypal.show(payment.id)).toMatchObject({ capturedAmount: 0 });
    expect(await ledgerOf(payment.id)).toEqual([
      ...['authorize 1299', 'capture 1299', 'capture_reversal 1299'],
    ]);
  });

  it('that are forged are refused, and nothing is stored', async () => {
    const payment = await capturing();
    const [webhook] = paypal.double.webhooks();
    if (!webhook) throw new Error('PayPal owes no webhook');
    const { headers, body } = webhook;
    const before = [await stored(), paypal.fetched.length];
    const elsewhere = 'https://paypal.example/v1/notifications/certs/CERT-1';
    const signature = headers['paypal-transmission-sig'] ?? '';

    const statuses = await paypal.deliver([
      { ...webhook, body: body.replace('12.99', '12.98') },
      { ...webhook, headers: { ...headers, 'paypal-cert-url': elsewhere } },
      { ...webhook, headers: { ...headers, 'paypal-transmission-id': 'another' } },
      {
        ...webhook,
        headers: { ...headers, 'paypal-transmission-sig': signature.split('').toReversed().join('') },
      },
      { ...webhook, headers: { 'content-type': 'application/json' } },
    ]);

    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect([await stored(), paypal.fetched.length]).toEqual(before);
    expect(await paypal.show(payment.id)).toMatchObject({ capturedAmount: 0 });
    expect(await paypal.deliver([webhook])).toEqual([200]);
    await paypal.applied();
    expect(await paypal.show(payment.id)).toMatchObject({ capturedAmount: 1299 });
  });

  it('without the authority between are refused, and the log tells the operator', async () => {
    paypal.serveAlone(true);
    await paypal.reconcile(2 * 60 * MINUTE_MS);
    const payment = await capturing();
    const owed = paypal.double.webhooks();
    const before = await stored();
    expect(await paypal.deliver(owed)).toEqual([401]);
    expect(await stored()).toBe(before);
    expect(paypal.server.logs()).toMatch(/"level":50.*"refusal":"untrusted_certificate"/);

    paypal.serveAlone(false);
    await paypal.reconcile(2 * 60 * MINUTE_MS);
    expect(await paypal.deliver(owed)).toEqual([200]);
    await paypal.applied();
    expect(await paypal.show(payment.id)).toMatchObject({ capturedAmount: 1299 });
  });

  it('keep a renewed authorisation, although the first one has expired', async () => {
    const payment = await paypal.create();
    await paypal.decide(payment, 'approve');
    const created = paypal.double.webhooks().find(({ type }) => type === 'PAYMENT.AUTHORIZATION.CREATED');
    await paypal.reconcile(4 * DAY_MS);
    await paypal.reauthorize(payment.id);
    paypal.double.webhooks();
    await paypal.reconcile(25 * DAY_MS + MINUTE_MS);

    expect(await paypal.deliver([expiryOf(created?.body ?? '')])).toEqual([200]);
    await paypal.applied();
    expect(await paypal.show(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    await paypal.reconcile(4 * DAY_MS);
    expect(paypal.bookOf(payment)).toMatchObject({ held: 0 });
    expect(new Set(await paypal.deliver())).toEqual(new Set([200]));
    await paypal.applied();

    expect(await paypal.show(payment.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_VOIDED', errorCode: 'expired_authorization' },
    });
  });

  /** Makes the event about the end of an authorisation from the event about its creation. */
  function expiryOf(created: string) {
    const event = JSON.parse(created) as PayPalEvent;
    const at = paypal.now().toISOString();
    return paypal.double.certificate.sign({
      ...event,
      ...{ id: `${event.id}-END`, event_type: 'PAYMENT.AUTHORIZATION.VOIDED', create_time: at },
      resource: { ...event.resource, status: 'VOIDED' },
    });
  }
});
