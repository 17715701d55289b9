import { afterAll, describe, expect, it } from '@jest/globals';
import { addGiftCard, send, visit } from '../../payment-links/form.ts';
import type { Link } from '../../payment-links/harness.ts';
import { giftCard } from '../../payment-links/wallet.ts';
import { startFakeGiftCards } from '../../support/fake-gift-cards.ts';
import { createService } from '../../transactions/harness.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { postWebhooks } from '../double-server.ts';
import { connect } from '../kit/service.ts';
import { openShop } from '../kit/shop.ts';
import { CREDENTIALS } from './double.ts';
import { startAdyen } from './start.ts';

// A running service, whose buyers pay later with Klarna.

/** Longer than the storing process owns a webhook. */
const APPLIED_MS = 12_000;

const shop = await openShop((now) => startAdyen({ now, multipleCaptures: true }));
const { double, harness } = shop;
const service = await connect(
  harness,
  'adyen-klarna',
  { ...CREDENTIALS, multiple_captures: 'true' },
  { acceptedCurrencies: ['EUR', 'USD'], acceptedCountries: ['DE', 'US'] },
);

const giftCards = await startFakeGiftCards();
afterAll(() => giftCards.close());
await createService(harness.server, giftCards.url, {
  ...{ definitionId: 'mock-gift-card', displayName: 'Gift cards', currencies: ['USD'] },
});

const CART = [
  { name: 'Shoes', quantity: 1, unitAmount: 899 },
  { name: 'Socks', quantity: 2, unitAmount: 200 },
];

const BUYER = {
  externalIdentifier: 'buyer-7',
  billingDetails: {
    ...{ firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' },
    address: { line1: 'Hauptstr. 5', city: 'Berlin', postalCode: '10115', country: 'DE' },
  },
};

const INPUT = {
  ...{ amount: 1299, currency: 'EUR', country: 'DE', buyer: BUYER, cartItems: CART },
  ...{ paymentMethod: { redirect: { method: 'klarna' } }, redirectUrl: 'https://shop.example/back' },
};

type Body = Readonly<Record<string, unknown>> & {
  readonly lineItems?: readonly { readonly description: string; readonly amountIncludingTax: number }[];
};

const bodiesTo = (end: string): readonly Body[] =>
  double.calls.flatMap(({ path, body }) => (path.endsWith(end) ? [JSON.parse(body) as Body] : []));

const linesTo = (end: string) =>
  bodiesTo(end)
    .at(-1)
    ?.lineItems?.map(({ description, amountIncludingTax: gross }) => [description, gross]);

const WHOLE = [
  ['Shoes', 899],
  ['Socks', 200],
];

const create = async (input: object = {}) => {
  const { transaction, userErrors } = await harness.create({ ...INPUT, ...input });
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return transaction;
};

async function deliver(): Promise<void> {
  expect(new Set(await postWebhooks(service.webhookUrl, double.webhooks()))).toEqual(new Set([200]));
  await applyAfter(harness, APPLIED_MS);
}

/** Authorises a payment, whose buyer approves at the page and comes back. */
async function authorized(): Promise<string> {
  const { id } = await create();
  const { reference, returnUrl } = bodiesTo('/payments').at(-1) ?? {};
  const back = new URL(String(returnUrl));
  back.searchParams.set('redirectResult', double.comeBack(String(reference), 'approve').redirectResult);
  await fetch(back, { redirect: 'manual' });
  await deliver();
  return id;
}

describe('a payment that pays later', () => {
  it('is captured and refunded as a whole, with the lines of its cart', async () => {
    const id = await authorized();
    expect(linesTo('/payments')).toEqual(WHOLE);
    expect(bodiesTo('/payments').at(-1)).toMatchObject({ shopperReference: 'buyer-7' });

    await harness.capture(id);
    await deliver();
    expect(linesTo('/captures')).toEqual(WHOLE);
    await harness.refund(id);
    await deliver();
    expect(linesTo('/refunds')).toEqual(WHOLE);

    expect(await shop.money(id)).toMatchObject({ capturedAmount: 1299, refundedAmount: 1299 });
  });

  it('is captured and refunded in part, with one line of the amount', async () => {
    const id = await authorized();
    await harness.capture(id, { amount: 899 });
    await deliver();
    expect(linesTo('/captures')).toEqual([['Items of the order', 899]]);
    await harness.refund(id, { amount: 200 });
    await deliver();
    expect(linesTo('/refunds')).toEqual([['Items of the order', 200]]);

    expect(await shop.money(id)).toMatchObject({ capturedAmount: 899, refundedAmount: 200 });
  });

  it('is captured in several parts, and the last one releases the rest', async () => {
    const id = await authorized();
    await harness.capture(id, { amount: 899, final: false });
    await deliver();
    await harness.capture(id, { amount: 200 });
    await deliver();

    expect(linesTo('/captures')).toEqual([['Items of the order', 200]]);
    expect(double.books().at(-1)).toMatchObject({ captured: 1099, cancelled: 200 });
    expect(await shop.money(id)).toMatchObject({ capturedAmount: 1099, capturable: { amount: 0 } });
  });

  it.each(['capture', 'refund'] as const)('repeats a lost %s with the same lines, once', async (verb) => {
    const id = await authorized();
    if (verb === 'refund') {
      await harness.capture(id);
      await deliver();
    }
    const before = bodiesTo(`/${verb}s`).length;
    double.failNext('lose_answer');
    await harness[verb](id);
    await reconcileAfter(harness, 120_000);
    await deliver();

    const [first, second, ...more] = bodiesTo(`/${verb}s`).slice(before);
    expect(first?.lineItems).toHaveLength(2);
    expect([second, more]).toEqual([first, []]);
    const money = verb === 'refund' ? { refundedAmount: 1299 } : { capturedAmount: 1299 };
    expect(await shop.money(id)).toMatchObject(money);
  });

  it.each([
    ['without a cart', { cartItems: null }],
    ['with a cart of another amount', { amount: 1300 }],
  ])('fails before the call %s, and names the cart', async (_, input) => {
    const calls = double.calls.length;
    expect(await create(input)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'invalid_request_parameters' },
    });
    expect(double.calls.length).toBe(calls);
  });
});

it('a payment in another currency than that of its country is refused before its claim, with the reason', async () => {
  const [calls, payments] = [double.calls.length, await shop.prisma.transaction.count()];

  const { transaction, userErrors } = await harness.create({ ...INPUT, currency: 'USD' });

  expect(transaction).toBeNull();
  expect(userErrors).toMatchObject([
    {
      code: 'NO_PAYMENT_SERVICE',
      message: expect.stringContaining('takes only the local currency in the country of the payment'),
    },
  ]);
  expect([double.calls.length, await shop.prisma.transaction.count()]).toEqual([calls, payments]);
  expect(await create({ country: null })).toMatchObject({ status: 'BUYER_APPROVAL_PENDING' });
});

describe('a link that can be paid later', () => {
  const linkWith = async (input: object = {}): Promise<Link> => {
    const { redirectUrl: _, paymentMethod: __, ...fields } = INPUT;
    const { made } = await harness.ask<{ made: { paymentLink: Link } }>(
      `mutation ($input: CreatePaymentLinkInput!) { made: createPaymentLink(input: $input) { paymentLink { id url } } }`,
      { input: { ...fields, intent: 'CAPTURE', ...input } },
    );
    return made.paymentLink;
  };

  it('offers the method with a cart that makes the amount alone', async () => {
    const [whole, without, other] = await Promise.all([
      linkWith(),
      linkWith({ cartItems: null }),
      linkWith({ amount: 1300 }),
    ]);

    expect((await visit(whole)).html).toContain('Klarna');
    expect((await visit(without)).html).not.toContain('Klarna');
    expect((await visit(other)).html).not.toContain('Klarna');
  });

  it('offers the method in the local currency of the country alone', async () => {
    expect((await visit(await linkWith({ currency: 'USD' }))).html).not.toContain('Klarna');
  });

  it('does not offer the method once a gift card pays a part', async () => {
    const address = {
      line1: '5 High St',
      city: 'Albany',
      postalCode: '12207',
      stateCode: 'US-NY',
      country: 'US',
    };
    const buyer = { ...BUYER, billingDetails: { ...BUYER.billingDetails, address } };
    const link = await linkWith({ currency: 'USD', country: 'US', buyer });
    const page = await visit(link);
    expect(page.html).toContain('Klarna');

    const paying = await send(link, page, addGiftCard(giftCard(500)));

    expect(paying.html).toContain('remove-gift-card');
    expect(paying.html).not.toContain('Klarna');
  });
});
