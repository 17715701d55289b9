import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { abandonPayment } from '../../../src/connectors/calls/call-abandon.ts';
import { resumePayment } from '../../../src/connectors/calls/call-resume.ts';
import type { Definition } from '../../../src/connectors/interface/definition.ts';
import type { AuthorizeRequest, PayingBuyer } from '../../../src/connectors/interface/requests.ts';
import { stripeDefinitions } from '../../../src/connectors/stripe/model/definitions.ts';
import { noticeWith } from '../kit/notices.ts';
import { buyerIn } from '../kit/whole-buyer.ts';
import { LOG, startDesk } from './double-desk.ts';
import { METHOD_KINDS } from './method-kinds.ts';

const desk = await startDesk();
const { double, stripe } = desk;
afterAll(() => desk.close());

const AMOUNT = 130_000;

/** The kinds by our name of the method, where Stripe's name is another. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ afterpay: 'afterpay_clearpay', cashappafterpay: 'afterpay_clearpay', clearpay: 'afterpay_clearpay' },
  ...{ amazonpay: 'amazon_pay', kakaopay: 'kakao_pay', paybybank: 'pay_by_bank', revolutpay: 'revolut_pay' },
  ...{ thaiqr: 'promptpay', wechat: 'wechat_pay', zippay: 'zip' },
};

const kindOf = ({ method }: Definition) => {
  const kind = METHOD_KINDS[TYPES[method] ?? method];
  if (!kind) throw new Error(`The double has no facts about ${method}.`);
  return kind;
};

const paymentOf = ({ supportedCurrencies, supportedCountries }: Definition): Partial<AuthorizeRequest> => ({
  ...{ card: null, capture: true },
  money: { amount: AMOUNT, currency: supportedCurrencies[0] ?? 'EUR' },
  buyer: buyerIn(supportedCountries[0] ?? 'DE'),
});

/** Begins a payment, which then waits for its buyer. */
async function begin(definition: Definition, changes: Partial<AuthorizeRequest> = {}) {
  const context = desk.contextOf(definition.id);
  const { outcome, requested } = await desk.pay({ ...paymentOf(definition), ...changes }, context);
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
  const { reference, approvalUrl, paymentReference } = outcome;
  const { key, money, capture } = requested;
  desk.told(context);
  const decide = (decision: 'approve' | 'refuse') => double.hands.decide(reference, decision);
  return {
    ...{ context, key, money, reference, approvalUrl, paymentReference, decide },
    /** Reads the payment as after the return of the buyer. */
    resume: () => resumePayment(stripe, context, LOG, { key, money, capture, reference, returned: {} }),
    told: () => desk.told(context),
    book: () => desk.bookOf(reference),
  };
}

const isElsewhere = ({ method }: Definition): boolean => method !== 'card' && method !== 'bank';
const METHODS = stripeDefinitions.filter(isElsewhere).map((each) => [each.id, each] as const);

describe.each(METHODS)('%s', (_, definition) => {
  const kind = kindOf(definition);
  const has = definition.supportedFeatures;

  it('has the features and at most the currencies of the facts', () => {
    const { refunds, partial_refunds: parts, delayed_capture: later } = has;
    const { isRefunded, capturesLater } = kind;
    expect([refunds, parts, later, has.void]).toEqual([
      ...[isRefunded, isRefunded, capturesLater, capturesLater],
    ]);
    const currencies = definition.supportedCurrencies.map((each) => each.toLowerCase());
    expect(kind.currencies ?? currencies).toEqual(expect.arrayContaining(currencies));
    expect(currencies.length > 0).toBe(kind.currencies !== null);
  });

  it('waits at a page, is paid by the buyer there, and is told', async () => {
    const payment = await begin(definition);
    expect(payment.approvalUrl).toMatch(/^http/);
    expect(payment.paymentReference !== undefined).toBe(
      kind.flow === 'voucher' && definition.method !== 'konbini',
    );
    payment.decide('approve');
    const { key, money } = payment;
    expect(payment.told()).toContainEqual(
      noticeWith({ verb: 'authorize', key, outcome: { kind: 'succeeded', money } }),
    );
    expect(await payment.resume()).toMatchObject({ kind: 'succeeded', money });
    expect(payment.book()).toMatchObject({ status: 'succeeded', refunded: 0 });
  });

  it('ends after a refusal, with a code, and takes nothing', async () => {
    const { key, decide, resume, told, book } = await begin(definition);
    decide('refuse');
    expect(told()).toContainEqual(
      noticeWith({ key, outcome: { kind: 'failed', errorCode: 'failed_buyer_approval' } }),
    );
    expect(await resume()).toMatchObject({ kind: 'failed', errorCode: 'failed_buyer_approval' });
    expect(book()).toMatchObject({ captured: 0, held: 0 });
  });

  it('ends when the buyer never comes, and takes nothing from a buyer who comes later', async () => {
    const { context, key, money, reference, decide, book } = await begin(definition);
    const ended = await abandonPayment(stripe, context, LOG, {
      ...{ verb: 'authorize', key, money, reference, createdAt: desk.now(), approval: 'expired' },
      resuming: false,
    });
    expect(ended).toMatchObject({ kind: 'failed', errorCode: 'incomplete_buyer_approval' });
    decide('approve');
    expect(book()).toMatchObject({ status: 'canceled', captured: 0, held: 0 });
  });

  if (kind.isRefunded)
    it('is refunded in parts, which webhooks decide', async () => {
      const { context, key, money, reference, decide, told, book } = await begin(definition);
      decide('approve');
      told();
      const part = { ...money, amount: AMOUNT / 2 };
      for (const refundKey of [randomUUID(), randomUUID()]) {
        const captures = [{ key, reference, amount: part.amount }];
        const refund = { verb: 'refund', key: refundKey, money: part, reference, captures } as const;
        const made = await desk.call(refund, context);
        if (made.kind !== 'accepted') throw new Error(JSON.stringify(made));
        double.hands.completeRefund(made.reference);
        expect(told()).toContainEqual(
          noticeWith({ verb: 'refund', key: refundKey, outcome: { kind: 'succeeded', money: part } }),
        );
      }
      expect(book()).toMatchObject({ captured: book()?.refunded });
    });

  if (kind.capturesLater)
    it('is captured later', async () => {
      const { context, key, money, reference, decide, resume, book } = await begin(definition, {
        capture: false,
      });
      decide('approve');
      expect(await resume()).toMatchObject({ kind: 'succeeded', money });
      expect(book()).toMatchObject({ status: 'requires_capture', captured: 0 });
      const capture = { verb: 'capture', key: randomUUID(), money, reference, final: true } as const;
      expect(await desk.call(capture, context)).toMatchObject({ kind: 'succeeded', money });
      expect(book()).toMatchObject({ status: 'succeeded', held: 0 });
      expect(key).not.toBe(capture.key);
    });

  if (!kind.capturesLater)
    it('is captured at once, whatever the request says', async () => {
      const { decide, book } = await begin(definition, { capture: false });
      decide('approve');
      expect(book()).toMatchObject({ status: 'succeeded', held: 0 });
    });

  it('is refused by Stripe in another currency', async () => {
    if (kind.currencies === null) return;
    const money = { amount: AMOUNT, currency: 'MAD' };
    const { outcome } = await desk.pay({ ...paymentOf(definition), money }, desk.contextOf(definition.id));
    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'unsupported_currency' });
  });
});

/** The buyer without the data of a need, and the path of the data in the input. */
const WITHOUT: Readonly<Record<string, readonly [without: Partial<PayingBuyer>, path: string]>> = {
  'address.country': [{ billingAddress: null }, 'buyer.billingDetails.address'],
  'address.line1': [{ billingAddress: null }, 'buyer.billingDetails.address'],
  email: [{ email: null }, 'buyer.billingDetails.emailAddress'],
  name: [{ firstName: null, lastName: null }, 'lastName'],
  shipping: [{ shipping: null }, 'shippingDetails'],
  tax_id: [{ taxId: null }, 'buyer.billingDetails.taxId'],
};

const NEEDS = METHODS.flatMap(([id, definition]) => {
  const { needs, details } = kindOf(definition);
  return [...needs, ...details].map((need) => [id, need, definition] as const);
});

it.each(NEEDS)('%s without %s is refused before the call, with the path', async (id, need, definition) => {
  const [without, path] = WITHOUT[need] ?? [{}, 'unknown'];
  const before = double.requests.length;
  const payment = paymentOf(definition);
  const buyer = { ...buyerIn(definition.supportedCountries[0] ?? 'DE'), ...without };
  const { outcome } = await desk.pay({ ...payment, buyer }, desk.contextOf(id));
  expect(outcome).toMatchObject({ kind: 'failed', rawResponseDescription: expect.stringContaining(path) });
  expect(double.requests.length).toBe(before);
});

it.each(['firstName', 'lastName'] as const)('Bancontact and EPS take a buyer without a %s', async (name) => {
  for (const id of ['stripe-bancontact', 'stripe-eps']) {
    const buyer = { ...buyerIn('BE'), [name]: null };
    const changes = { card: null, money: { amount: AMOUNT, currency: 'EUR' }, buyer };
    expect((await desk.pay(changes, desk.contextOf(id))).outcome.kind).toBe('accepted');
  }
});

it.each(['HUF', 'TWD'])('PayPal takes no fraction of %s, and Stripe is not asked', async (currency) => {
  const pay = (amount: number) => {
    const changes = { card: null, money: { amount, currency }, buyer: buyerIn('HU') };
    return desk.pay(changes, desk.contextOf('stripe-paypal'));
  };
  expect((await pay(123_400)).outcome.kind).toBe('accepted');
  const before = double.requests.length;
  expect((await pay(123_456)).outcome).toMatchObject({ kind: 'failed', errorCode: 'invalid_amount' });
  expect(double.requests.length).toBe(before);
});

it.each(['stripe-boleto', 'stripe-pix'])('%s gets a tax number without punctuation', async (id) => {
  const definition = stripeDefinitions.find((each) => each.id === id);
  if (!definition) throw new Error(`Stripe has no ${id}.`);
  const buyer = { ...buyerIn('BR'), taxId: { kind: 'br_cnpj', value: '11.222.333/0001-81' } };
  const { outcome } = await desk.pay({ ...paymentOf(definition), buyer }, desk.contextOf(id));
  expect(outcome.kind).toBe('accepted');
  expect(double.requests.at(-1)?.body).toContain('tax_id%5D=11222333000181&');
});

const OF_ADDRESS = NEEDS.filter(([, need]) => need === 'address.line1' || need === 'shipping');
const PARTS = OF_ADDRESS.flatMap((each) =>
  (['line1', 'city', 'postalCode', 'country'] as const).map((part) => [...each, part] as const),
);

it.each(PARTS)('%s is refused before the call if its %s lacks a part', async (id, need, definition, part) => {
  const before = double.requests.length;
  const whole = buyerIn(definition.supportedCountries[0] ?? 'DE');
  // Stripe gets the house number in line 1.
  const lacking = { [part]: null, ...(part === 'line1' && { houseNumberOrName: null }) };
  const address = whole.billingAddress && { ...whole.billingAddress, ...lacking };
  const shipping = whole.shipping && { ...whole.shipping, address };
  const buyer = { ...whole, ...(need === 'shipping' ? { shipping } : { billingAddress: address }) };
  const { outcome } = await desk.pay({ ...paymentOf(definition), buyer }, desk.contextOf(id));
  expect(outcome).toMatchObject({ kind: 'failed', rawResponseDescription: expect.stringContaining(part) });
  expect(double.requests.length).toBe(before);
});

it.each([
  ['a card', { card: { number: '4242424242424242', expirationDate: '03/30', securityCode: null } }],
  ['an amount of 0', { money: { amount: 0, currency: 'EUR' } }],
])('a method that the buyer approves elsewhere takes no payment with %s', async (_, changes) => {
  const before = double.requests.length;
  const buyer = buyerIn('NL');
  const { outcome } = await desk.pay({ card: null, buyer, ...changes }, desk.contextOf('stripe-ideal'));
  expect(outcome.kind).toBe('failed');
  expect(double.requests.length).toBe(before);
});
