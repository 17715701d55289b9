import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adyenDefinitions } from '../../../src/connectors/adyen/definitions.ts';
import type { Definition } from '../../../src/connectors/interface/definition.ts';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import { noticeWith } from '../kit/notices.ts';
import { orderOf } from '../kit/orders.ts';
import { buyerIn } from '../kit/whole-buyer.ts';
import { startDesk } from './double-desk.ts';
import { METHOD_RULES, type MethodRules } from './method-rules.ts';
import { paymentOf } from './samples.ts';

const desk = await startDesk();
const { double } = desk;
afterAll(() => desk.close());

const AMOUNT = 130_000;

/** Adyen's names by our name of the method, where Adyen's name is another. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  afterpay: ['afterpaytouch'],
  alipayhk: ['alipay_hk'],
  bancontact: ['bcmc_mobile'],
  boleto: ['boletobancario'],
  boost: ['molpay_boost'],
  cashappafterpay: ['afterpaytouch'],
  gopay: ['gopay_wallet'],
  grabpay: ['grabpay_ID', 'grabpay_MY', 'grabpay_PH', 'grabpay_SG', 'grabpay_TH', 'grabpay_VN'],
  klarnapaynow: ['klarna_paynow'],
  klarnapayovertime: ['klarna_account'],
  ovo: ['doku_ovo'],
  paymaya: ['paymaya_wallet'],
  rabbitlinepay: ['alipay_plus_rabbitlinepay'],
  scalapay: ['scalapay_3x'],
  seveneleven: ['econtext_seven_eleven'],
  thaiqr: ['promptpay'],
  wechat: ['wechatpayQR'],
  zippay: ['zip'],
};

/** The limits of our name, where Adyen's name has several. */
const NARROWER: Readonly<Record<string, Partial<MethodRules>>> = {
  cashappafterpay: { currencies: ['USD'], countries: ['US'] },
};

const rulesOf = ({ method }: Definition): readonly MethodRules[] =>
  (TYPES[method] ?? [method]).map((type) => {
    const rules = METHOD_RULES[type];
    if (!rules) throw new Error(`The double has no facts about ${type}.`);
    return { ...rules, ...NARROWER[method] };
  });

const countryOf = ({ supportedCountries: [country = 'DE'] }: Definition): string => country;

/** The amount of the tests, in a currency of the country. */
const moneyOf = (definition: Definition, country = countryOf(definition)) => {
  const [first = 'EUR'] = definition.supportedCurrencies;
  return { amount: AMOUNT, currency: definition.localCurrencies?.[country] ?? first };
};

const requestOf = (definition: Definition, changes: Partial<AuthorizeRequest> = {}) => {
  const country = countryOf(definition);
  const { money = moneyOf(definition) } = changes;
  return {
    verb: 'authorize',
    ...paymentOf({ key: randomUUID(), capture: true, country, buyer: buyerIn(country) }),
    ...{ money, order: orderOf(money) },
    ...changes,
  } as const;
};

/** Begins a payment, which then waits for its buyer. */
async function begin(definition: Definition, changes: Partial<AuthorizeRequest> = {}) {
  const requested = requestOf(definition, changes);
  const outcome = await desk.call(definition, requested);
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
  const { key, money, capture } = requested;
  const { reference, approvalUrl, paymentReference, qrCode } = outcome;
  desk.told(definition);
  return {
    ...{ key, money, reference, approvalUrl, paymentReference, qrCode },
    /** Lets the buyer decide at a page, and reads the return. */
    comeBack: (decision: 'approve' | 'refuse') => {
      const returned = double.comeBack(key, decision);
      return desk.resume(definition, { key, money, capture, reference, returned });
    },
    told: () => desk.told(definition),
    book: () => double.book(key),
  };
}

const isElsewhere = ({ method }: Definition): boolean => method !== 'card' && method !== 'bank';
const METHODS = adyenDefinitions.filter(isElsewhere).map((each) => [each.id, each] as const);

describe.each(METHODS)('%s', (_, definition) => {
  const all = rulesOf(definition);
  const [rules] = all as readonly [MethodRules];
  const isAtPage = rules.flow === 'redirect';

  it('has the features, the currencies and the countries of the facts', () => {
    const { supportedFeatures: has, supportedCurrencies, supportedCountries } = definition;
    const { isRefunded, isPartlyRefunded, capturesLater, capturesSeveral } = rules;
    expect([has.refunds, has.partial_refunds, has.delayed_capture, has.void, has.multiple_captures]).toEqual([
      ...[isRefunded, isPartlyRefunded === true, capturesLater, capturesLater, capturesSeveral],
    ]);
    expect(supportedCurrencies).toEqual(all.flatMap(({ currencies }) => currencies ?? []).toSorted());
    expect(supportedCountries).toEqual(all.flatMap(({ countries }) => countries ?? []).toSorted());
    expect(definition.localCurrencies ?? null).toEqual(rules.local);
  });

  it('waits for the buyer in its way', async () => {
    const { approvalUrl, paymentReference, qrCode, book } = await begin(definition);
    const isVoucher = rules.flow === 'voucher';
    expect(paymentReference !== undefined).toBe(isVoucher);
    if (isAtPage || rules.opensApp) expect(approvalUrl).toMatch(/^https:/);
    else if (!isVoucher) expect(approvalUrl).toBeUndefined();
    expect(qrCode !== undefined).toBe(rules.flow === 'qr');
    expect(book()).toMatchObject({ status: 'waiting', authorised: 0, captured: 0 });
  });

  it('is paid by the buyer, and told', async () => {
    const { key, money, comeBack, told, book } = await begin(definition);
    if (isAtPage) expect(await comeBack('approve')).toMatchObject({ kind: 'succeeded', money });
    else double.decideElsewhere(key, 'approve');
    expect(told()).toContainEqual(
      noticeWith({ verb: 'authorize', key, outcome: { kind: 'succeeded', money } }),
    );
    expect(book().captured).toBe(book().amount.value);
  });

  it('ends after a refusal, with a code, and takes nothing', async () => {
    const { key, comeBack, told, book } = await begin(definition);
    if (isAtPage) expect(['declined', 'failed']).toContain((await comeBack('refuse')).kind);
    else double.decideElsewhere(key, 'refuse');
    const about = told().flatMap((notice) => ('outcome' in notice ? [notice.outcome.kind] : []));
    expect(about).toEqual([expect.stringMatching(/^(declined|failed)$/)]);
    expect(book()).toMatchObject({ authorised: 0, captured: 0 });
  });

  it('ends when the buyer never comes', async () => {
    const { key, told, book } = await begin(definition);
    double.closeOffer(key);
    expect(told()).toContainEqual(
      noticeWith({ key, outcome: { kind: 'failed', errorCode: 'incomplete_buyer_approval' } }),
    );
    double.decideElsewhere(key, 'approve');
    expect(book()).toMatchObject({ status: 'cancelled', captured: 0 });
  });

  if (rules.isRefunded)
    it('is refunded, which webhooks decide, in parts if the facts say so', async () => {
      const { key, money, comeBack, told, book } = await begin(definition);
      if (isAtPage) await comeBack('approve');
      else double.decideElsewhere(key, 'approve');
      told();
      const { pspReference: reference, amount } = book();
      const keys = rules.isPartlyRefunded ? [randomUUID(), randomUUID()] : [randomUUID()];
      const part = { ...money, amount: AMOUNT / keys.length };
      for (const refundKey of keys) {
        const captures = [{ key, reference, amount: part.amount }];
        const refund = { verb: 'refund', key: refundKey, money: part, reference, captures } as const;
        expect(await desk.call(definition, refund)).toMatchObject({ kind: 'accepted' });
        expect(told()).toContainEqual(
          noticeWith({ verb: 'refund', key: refundKey, outcome: { kind: 'succeeded', money: part } }),
        );
      }
      expect(book().refunded).toBe(amount.value);
    });

  if (rules.capturesLater)
    it('is captured later', async () => {
      const { money, comeBack, told, book } = await begin(definition, { capture: false });
      await comeBack('approve');
      told();
      expect(book()).toMatchObject({ status: 'authorised', captured: 0 });
      const { pspReference: reference } = book();
      const capture = { verb: 'capture', key: randomUUID(), money, reference, final: true } as const;
      expect(await desk.call(definition, capture)).toMatchObject({ kind: 'accepted' });
      expect(told()).toContainEqual(noticeWith({ verb: 'capture', outcome: { kind: 'succeeded', money } }));
    });

  it('is paid in each of its currencies, and refused in another', async () => {
    for (const { currencies, countries, local } of all)
      for (const currency of currencies ?? []) {
        const takes = (each: string): boolean => local === null || local[each] === currency;
        const country = countries?.find(takes) ?? 'DE';
        await begin(definition, { country, money: { amount: AMOUNT, currency } });
      }
    if (rules.currencies === null) return;
    const money = { amount: AMOUNT, currency: 'MAD' };
    expect(await desk.call(definition, requestOf(definition, { money }))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unsupported_currency' },
    });
  });
});

const ofBuyer = (without: object) => (country: string) => ({ buyer: { ...buyerIn(country), ...without } });

/** The payment without the data of a field, and the path of the data in the input. */
const WITHOUT: Readonly<
  Record<string, readonly [without: (country: string) => Partial<AuthorizeRequest>, path: string]>
> = {
  billingAddress: [ofBuyer({ billingAddress: null }), 'buyer.billingDetails.address'],
  deliveryAddress: [ofBuyer({ shipping: null }), 'shippingDetails'],
  lineItems: [() => ({ order: null }), 'cartItems'],
  shopperEmail: [ofBuyer({ email: null }), 'buyer.billingDetails.emailAddress'],
  shopperName: [ofBuyer({ lastName: null }), 'buyer.billingDetails.lastName'],
  socialSecurityNumber: [ofBuyer({ taxId: null }), 'buyer.billingDetails.taxId'],
  telephoneNumber: [ofBuyer({ phone: null }), 'buyer.billingDetails.phoneNumber'],
};

/** The key of the payment stands for a shopper without a reference. */
const NEEDS = METHODS.flatMap(([id, definition]) =>
  rulesOf(definition).flatMap(({ needs }) =>
    needs.filter((need) => need !== 'shopperReference').map((need) => [id, need, definition] as const),
  ),
);

it.each(NEEDS)('%s without %s is refused before the call, with the path', async (_, need, definition) => {
  const [without, path] = WITHOUT[need] ?? [() => ({}), 'unknown'];
  const before = double.calls.length;
  const changes = without(definition.supportedCountries[0] ?? 'DE');
  expect(await desk.call(definition, requestOf(definition, changes))).toMatchObject({
    ...{ kind: 'failed', rawResponseDescription: expect.stringContaining(path) },
  });
  expect(double.calls.length).toBe(before);
});

it.each(['HUF', 'TWD'])('PayPal takes no fraction of %s, and is not asked', async (currency) => {
  const definition = adyenDefinitions.find(({ id }) => id === 'adyen-paypal');
  if (!definition) throw new Error('Adyen has no PayPal.');
  const pay = (amount: number) =>
    desk.call(definition, requestOf(definition, { money: { amount, currency } }));
  expect(await pay(123_400)).toMatchObject({ kind: 'accepted' });
  const before = double.calls.length;
  expect(await pay(123_456)).toMatchObject({ kind: 'failed', errorCode: 'invalid_amount' });
  expect(double.calls.length).toBe(before);
});

const OF_TAX = METHODS.filter(([, definition]) =>
  rulesOf(definition).some(({ needs }) => needs.includes('socialSecurityNumber')),
);

it.each(OF_TAX)('%s takes a tax number as people write it, and no other text', async (_, definition) => {
  const withTaxId = (value: string) =>
    desk.call(
      definition,
      requestOf(definition, { buyer: { ...buyerIn('BR'), taxId: { kind: 'br_cpf', value } } }),
    );
  expect(await withTaxId('529.982.247-25')).toMatchObject({ kind: 'accepted' });
  const before = double.calls.length;
  expect(await withTaxId('abc')).toMatchObject({ kind: 'failed', errorCode: 'missing_tax_identifier' });
  expect(double.calls.length).toBe(before);
});

const ADDRESS_PARTS = ['line1', 'city', 'postalCode', 'country'] as const;
const OF_ADDRESS = METHODS.filter(([, definition]) =>
  rulesOf(definition).some(({ needs }) => needs.includes('billingAddress')),
);

describe.each(OF_ADDRESS)('%s, for a buyer whose address lacks a part', (_, definition) => {
  const whole = buyerIn(definition.supportedCountries[0] ?? 'DE');
  const callFor = (address: object) => {
    const billingAddress = whole.billingAddress && { ...whole.billingAddress, ...address };
    return desk.call(definition, requestOf(definition, { buyer: { ...whole, billingAddress } }));
  };

  it.each(ADDRESS_PARTS)('is refused before the call, and nothing stands for the part: %s', async (part) => {
    const before = double.calls.length;
    expect(await callFor({ [part]: null })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'missing_billing_address' },
      rawResponseDescription: expect.stringContaining(part),
    });
    expect(double.calls.length).toBe(before);
  });

  it('is paid without a house number, for which Adyen has its own word', async () => {
    expect(await callFor({ houseNumberOrName: null })).toMatchObject({ kind: 'accepted' });
  });
});

const CROSSING = METHODS.filter(([, { supportedCountries }]) => supportedCountries.length > 0);

it.each(CROSSING)('%s is paid in its country by a buyer who lives elsewhere', async (_, definition) => {
  for (const { currencies, countries, local } of rulesOf(definition))
    for (const country of countries ?? []) {
      const money = { amount: AMOUNT, currency: local?.[country] ?? currencies?.[0] ?? 'EUR' };
      await begin(definition, { country, money, buyer: buyerIn('CH') });
    }
});

it.each(CROSSING)('%s without a country is paid if the method has one country', async (_, definition) => {
  const changes = { country: null, buyer: buyerIn('CH'), money: moneyOf(definition, 'CH') };
  const outcome = await desk.call(definition, requestOf(definition, changes));
  const { supportedCountries: countries } = definition;
  expect(outcome.kind).toBe(countries.length === 1 || countries.includes('CH') ? 'accepted' : 'failed');
});

it('a payment in another country than that of the method is refused by Adyen', async () => {
  const definition = adyenDefinitions.find(({ id }) => id === 'adyen-swish');
  if (!definition) throw new Error('Adyen has no Swish.');
  const buyer = buyerIn('SE');
  expect(await desk.call(definition, requestOf(definition, { country: 'DE', buyer }))).toMatchObject({
    kind: 'failed',
  });
});
