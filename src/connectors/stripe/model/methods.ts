import type { Stripe } from 'stripe';
import { PAYPAL_AMOUNTS, PAYPAL_CURRENCIES, type MethodLimits } from '../../door.ts';

type Type = Stripe.PaymentIntentCreateParams.PaymentMethodData.Type;

/**
 * The way of the buyer. Stripe has a page for each.
 *
 * - `redirect`: the buyer approves at the page, and comes back.
 * - `qr`: the page shows a code, which the buyer's app reads.
 * - `voucher`: the page shows a reference, with which the buyer pays at a shop or a bank within days.
 */
export type Flow = 'redirect' | 'qr' | 'voucher';

/** A payment method whose buyer approves or pays elsewhere. One row makes one definition. */
export type StripeMethod = MethodLimits & {
  /** Our name of the method. */
  readonly method: string;
  readonly displayName: string;
  /** Stripe's name of the method. */
  readonly type: Type;
  /** Empty for every currency. */
  readonly currencies: readonly string[];
  /** Empty for every country. */
  readonly countries: readonly string[];
  readonly flow: Flow;
  /** True if an authorisation may be captured later. Stripe refuses `capture_method` with every other method. */
  readonly capturesLater: boolean;
  readonly isRefunded: boolean;
};

type Facts = Pick<StripeMethod, 'method' | 'type'> & Partial<StripeMethod>;

const row = (name: string, facts: Facts): StripeMethod => ({
  ...{ displayName: `Stripe ${name}`, currencies: [], amounts: {}, countries: [] },
  ...{ flow: 'redirect', capturesLater: false, isRefunded: true, needs: [] },
  ...facts,
});

/** The countries of Klarna's buyers. */
// oxfmt-ignore
const OF_KLARNA = [
  'AT', 'AU', 'BE', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'NL', 'NO', 'NZ',
  'PL', 'PT', 'RO', 'SE', 'US',
];

/** The methods that a buyer pays at a page. A further method is a further row. */
// oxfmt-ignore
export const STRIPE_METHODS: readonly StripeMethod[] = [
  // In instalments. Stripe tells one type apart by the country and the currency.
  row('Affirm', { method: 'affirm', type: 'affirm', currencies: ['CAD', 'USD'], countries: ['CA', 'US'], capturesLater: true, needs: ['billingAddress', 'shippingAddress'] }),
  row('Afterpay', { method: 'afterpay', type: 'afterpay_clearpay', currencies: ['AUD', 'CAD', 'NZD', 'USD'], countries: ['AU', 'CA', 'NZ', 'US'], capturesLater: true, needs: ['name', 'email', 'shippingAddress'] }),
  row('Clearpay', { method: 'clearpay', type: 'afterpay_clearpay', currencies: ['GBP'], countries: ['GB'], capturesLater: true, needs: ['name', 'email', 'shippingAddress'] }),
  row('Cash App Afterpay', { method: 'cashappafterpay', type: 'afterpay_clearpay', currencies: ['USD'], countries: ['US'], capturesLater: true, needs: ['name', 'email', 'shippingAddress'] }),
  row('Alma', { method: 'alma', type: 'alma', currencies: ['EUR'], capturesLater: true }),
  row('Klarna', { method: 'klarna', type: 'klarna', currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'SEK', 'USD'], countries: OF_KLARNA, capturesLater: true, needs: ['billingCountry'] }),
  row('Zip', { method: 'zippay', type: 'zip', currencies: ['AUD'], countries: ['AU'] }),

  // At the page of a bank.
  row('Bancontact', { method: 'bancontact', type: 'bancontact', currencies: ['EUR'], countries: ['BE'], needs: ['name'] }),
  row('EPS', { method: 'eps', type: 'eps', currencies: ['EUR'], countries: ['AT'], needs: ['name'] }),
  row('iDEAL', { method: 'ideal', type: 'ideal', currencies: ['EUR'], countries: ['NL'] }),
  row('Pay by Bank', { method: 'paybybank', type: 'pay_by_bank', currencies: ['EUR', 'GBP'], countries: ['DE', 'FR', 'GB'] }),
  row('Przelewy24', { method: 'p24', type: 'p24', currencies: ['EUR', 'PLN'], countries: ['PL'], needs: ['email'] }),

  // By a wallet.
  row('Alipay', { method: 'alipay', type: 'alipay', currencies: ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'MYR', 'NZD', 'SGD', 'USD'] }),
  row('Amazon Pay', { method: 'amazonpay', type: 'amazon_pay', currencies: ['AUD', 'CHF', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'NZD', 'SEK', 'USD', 'ZAR'], capturesLater: true }),
  row('Cash App Pay', { method: 'cashapp', type: 'cashapp', currencies: ['USD'], countries: ['US'], capturesLater: true }),
  row('GrabPay', { method: 'grabpay', type: 'grabpay', currencies: ['MYR', 'SGD'], countries: ['MY', 'SG'] }),
  row('KakaoPay', { method: 'kakaopay', type: 'kakao_pay', currencies: ['KRW'], countries: ['KR'], capturesLater: true }),
  row('MobilePay', { method: 'mobilepay', type: 'mobilepay', currencies: ['DKK', 'EUR', 'NOK', 'SEK'], countries: ['DK', 'FI'], capturesLater: true }),
  row('PayPal', { method: 'paypal', type: 'paypal', currencies: PAYPAL_CURRENCIES, amounts: PAYPAL_AMOUNTS, capturesLater: true }),
  row('PayPay', { method: 'paypay', type: 'paypay', currencies: ['JPY'], countries: ['JP'] }),
  row('Revolut Pay', { method: 'revolutpay', type: 'revolut_pay', currencies: ['DKK', 'EUR', 'GBP', 'HUF', 'PLN', 'RON'], capturesLater: true }),
  row('Satispay', { method: 'satispay', type: 'satispay', currencies: ['EUR'], countries: ['IT'], capturesLater: true }),
  row('Swish', { method: 'swish', type: 'swish', currencies: ['SEK'], countries: ['SE'] }),
  row('TWINT', { method: 'twint', type: 'twint', currencies: ['CHF'], countries: ['CH'] }),

  // By a code, which the page shows.
  row('PayNow', { method: 'paynow', type: 'paynow', flow: 'qr', currencies: ['SGD'], countries: ['SG'] }),
  row('Pix', { method: 'pix', type: 'pix', flow: 'qr', currencies: ['BRL'], countries: ['BR'] }),
  row('PromptPay', { method: 'thaiqr', type: 'promptpay', flow: 'qr', currencies: ['THB'], countries: ['TH'], needs: ['email'] }),
  row('WeChat Pay', { method: 'wechat', type: 'wechat_pay', flow: 'qr', currencies: ['AUD', 'CAD', 'CHF', 'CNY', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'SEK', 'SGD', 'USD'] }),

  // With a voucher, at a shop or a bank.
  row('Boleto', { method: 'boleto', type: 'boleto', flow: 'voucher', currencies: ['BRL'], countries: ['BR'], isRefunded: false, needs: ['firstName', 'lastName', 'email', 'billingAddress', 'brazilianTaxId'] }),
  row('Konbini', { method: 'konbini', type: 'konbini', flow: 'voucher', currencies: ['JPY'], countries: ['JP'], isRefunded: false, needs: ['firstName', 'lastName', 'email'] }),
  row('Multibanco', { method: 'multibanco', type: 'multibanco', flow: 'voucher', currencies: ['EUR'], countries: ['PT'], needs: ['email'] }),
  row('OXXO', { method: 'oxxo', type: 'oxxo', flow: 'voucher', currencies: ['MXN'], countries: ['MX'], isRefunded: false, needs: ['firstName', 'lastName', 'email'] }),
];

/** Returns the id of a method's definition. */
export const idOf = ({ method }: Pick<StripeMethod, 'method'>): string => `stripe-${method}`;

const BY_ID: ReadonlyMap<string, StripeMethod> = new Map(STRIPE_METHODS.map((each) => [idOf(each), each]));

/** Finds the row of a definition. Undefined for cards and bank accounts. */
export const rowOf = (definitionId: string): StripeMethod | undefined => BY_ID.get(definitionId);
