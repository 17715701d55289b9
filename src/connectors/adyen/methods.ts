import { PAYPAL_AMOUNTS, PAYPAL_CURRENCIES, type MethodLimits, type PaymentNeed } from '../door.ts';
import type { AdyenPayment } from './request-shapes.ts';

export type AdyenType = NonNullable<AdyenPayment['paymentMethod']['type']>;

/**
 * A payment method whose buyer approves or pays elsewhere. One row makes one definition. A method that needs an issuer
 * is not of this kind.
 */
export type AdyenMethod = MethodLimits & {
  /** Our name of the method. */
  readonly method: string;
  readonly displayName: string;
  /** Adyen's name of the method. Some methods have a name for each currency. */
  readonly type: AdyenType | Readonly<Record<string, AdyenType>>;
  /** Empty for every currency. */
  readonly currencies: readonly string[];
  /** Empty for every country. */
  readonly countries: readonly string[];
  /** The only currency of each country. Null for a method that takes any of its currencies everywhere. */
  readonly localCurrencies: Readonly<Record<string, string>> | null;
  /**
   * - `redirect`: the buyer approves at a page, and comes back.
   * - `qr`: the buyer pays with a code, which the buyer's app reads.
   * - `push`: the buyer approves in an app that Adyen asks. A webhook brings the decision.
   * - `voucher`: the buyer pays with a reference at a shop or a bank.
   */
  readonly flow: 'redirect' | 'qr' | 'push' | 'voucher';
  /** True if an authorisation may be captured later. Adyen captures every other method at once. */
  readonly capturesLater: boolean;
  /** True if an authorisation may be captured in several parts, once the merchant account has that setting. */
  readonly capturesSeveral: boolean;
  readonly isRefunded: boolean;
  /** True if a refund may be of a part of the payment. False where Adyen's facts leave this open. */
  readonly isPartlyRefunded: boolean;
  /** True for a method that takes the lines of the cart, also with captures and refunds. */
  readonly takesLines: boolean;
  /** True for a method that Adyen refuses without a shopper reference. */
  readonly namesShopper: boolean;
  /** The data of the buyer that stand in `paymentMethod` too. */
  readonly details: readonly ('firstName' | 'lastName' | 'shopperEmail' | 'telephoneNumber')[];
};

type Facts = Pick<AdyenMethod, 'method' | 'type'> & Partial<AdyenMethod>;

const row = (name: string, facts: Facts): AdyenMethod => ({
  ...{ displayName: `Adyen ${name}`, currencies: [], amounts: {}, countries: [], localCurrencies: null },
  ...{ flow: 'redirect', capturesLater: false, capturesSeveral: false },
  ...{ isRefunded: true, isPartlyRefunded: facts.isRefunded ?? true, needs: [] },
  ...{ takesLines: false, namesShopper: false, details: [] },
  ...facts,
});

const NAMES = ['firstName', 'lastName'] as const satisfies readonly PaymentNeed[];

/** Afterpay has other names in some countries. */
const OF_AFTERPAY = {
  ...{ capturesLater: true, takesLines: true },
  needs: [...NAMES, 'email', 'cartItems'],
} as const satisfies Partial<AdyenMethod>;

/**
 * Klarna takes the local currency of each country alone.
 * @see https://docs.klarna.com/klarna-payments/in-depth-knowledge/puchase-countries-currencies-locales
 */
// oxfmt-ignore
const AT_KLARNA = {
  ...{ AT: 'EUR', AU: 'AUD', BE: 'EUR', CA: 'CAD', CH: 'CHF', CZ: 'CZK', DE: 'EUR', DK: 'DKK', ES: 'EUR', FI: 'EUR' },
  ...{ FR: 'EUR', GB: 'GBP', GR: 'EUR', IE: 'EUR', IT: 'EUR', NL: 'EUR', NO: 'NOK', NZ: 'NZD', PL: 'PLN', PT: 'EUR' },
  ...{ SE: 'SEK', US: 'USD' },
} as const satisfies Readonly<Record<string, string>>;

const OF_KLARNA = {
  currencies: [...new Set(Object.values(AT_KLARNA))].toSorted(),
  countries: Object.keys(AT_KLARNA),
  localCurrencies: AT_KLARNA,
  ...{ capturesLater: true, capturesSeveral: true, takesLines: true, namesShopper: true },
  needs: [...NAMES, 'email', 'billingAddress', 'cartItems'],
} as const satisfies Partial<AdyenMethod>;

/** The methods that a buyer approves elsewhere. A further method is a further row. */
// oxfmt-ignore
export const ADYEN_METHODS: readonly AdyenMethod[] = [
  // At the page of a bank.
  row('Bancontact', { method: 'bancontact', type: 'bcmc_mobile', currencies: ['EUR'], countries: ['BE'] }),
  row('Bizum', { method: 'bizum', type: 'bizum', currencies: ['EUR'], countries: ['ES'] }),
  row('BLIK', { method: 'blik', type: 'blik', currencies: ['PLN'], countries: ['PL'] }),
  row('iDEAL', { method: 'ideal', type: 'ideal', currencies: ['EUR'], countries: ['NL'] }),
  row('Pay by Bank', { method: 'paybybank', type: 'paybybank', currencies: ['EUR', 'GBP'], countries: ['DE', 'FR', 'GB'] }),
  row('Trustly', { method: 'trustly', type: 'trustly', currencies: ['DKK', 'EUR', 'NOK', 'SEK'] }),
  row('Wero', { method: 'wero', type: 'wero', currencies: ['EUR'], countries: ['BE', 'DE', 'FR'], isPartlyRefunded: false }),

  // Later, or in instalments.
  row('Affirm', { method: 'affirm', type: 'affirm', currencies: ['CAD', 'USD'], countries: ['CA', 'US'], capturesLater: true, takesLines: true, needs: [...NAMES, 'email', 'phone', 'billingAddress', 'shippingAddress', 'cartItems'] }),
  row('Afterpay', { method: 'afterpay', type: 'afterpaytouch', currencies: ['AUD', 'CAD', 'NZD', 'USD'], countries: ['AU', 'CA', 'NZ', 'US'], ...OF_AFTERPAY, needs: [...OF_AFTERPAY.needs, 'billingCountry'] }),
  row('Cash App Afterpay', { method: 'cashappafterpay', type: 'afterpaytouch', currencies: ['USD'], countries: ['US'], ...OF_AFTERPAY }),
  row('Clearpay', { method: 'clearpay', type: 'clearpay', currencies: ['GBP'], countries: ['GB'], ...OF_AFTERPAY }),
  row('Klarna', { method: 'klarna', type: 'klarna', ...OF_KLARNA }),
  row('Klarna Pay now', { method: 'klarnapaynow', type: 'klarna_paynow', ...OF_KLARNA }),
  row('Klarna Pay over time', { method: 'klarnapayovertime', type: 'klarna_account', ...OF_KLARNA }),
  row('Scalapay', { method: 'scalapay', type: 'scalapay_3x', currencies: ['EUR'], countries: ['BE', 'DE', 'ES', 'FR', 'IT', 'PT'], takesLines: true, needs: [...NAMES, 'email', 'phone', 'billingAddress', 'shippingAddress', 'cartItems'] }),
  row('Zip', { method: 'zippay', type: 'zip', currencies: ['AUD', 'NZD', 'USD'], countries: ['AU', 'NZ', 'US'], takesLines: true, needs: [...NAMES, 'email', 'phone', 'billingAddress', 'shippingAddress'] }),

  // By a wallet.
  row('Alipay', { method: 'alipay', type: 'alipay' }),
  row('AlipayHK', { method: 'alipayhk', type: 'alipay_hk', currencies: ['HKD', 'USD'], countries: ['HK'] }),
  row('Boost', { method: 'boost', type: 'molpay_boost', currencies: ['MYR'], countries: ['MY'], isPartlyRefunded: false }),
  row('DANA', { method: 'dana', type: 'dana', currencies: ['IDR'], countries: ['ID'], isPartlyRefunded: false }),
  row('GCash', { method: 'gcash', type: 'gcash', currencies: ['PHP'], countries: ['PH'] }),
  row('GoPay', { method: 'gopay', type: 'gopay_wallet', currencies: ['IDR'], countries: ['ID'], isPartlyRefunded: false }),
  row('GrabPay', { method: 'grabpay', type: { SGD: 'grabpay_SG', MYR: 'grabpay_MY', PHP: 'grabpay_PH', THB: 'grabpay_TH', IDR: 'grabpay_ID', VND: 'grabpay_VN' }, currencies: ['IDR', 'MYR', 'PHP', 'SGD', 'THB', 'VND'], countries: ['ID', 'MY', 'PH', 'SG', 'TH', 'VN'] }),
  row('KakaoPay', { method: 'kakaopay', type: 'kakaopay', currencies: ['KRW'], countries: ['KR'] }),
  row('Maya', { method: 'paymaya', type: 'paymaya_wallet', currencies: ['PHP'], countries: ['PH'], isPartlyRefunded: false }),
  row('MobilePay', { method: 'mobilepay', type: 'mobilepay', currencies: ['DKK', 'EUR'], countries: ['DK', 'FI'] }),
  row('PayPal', { method: 'paypal', type: 'paypal', currencies: PAYPAL_CURRENCIES, amounts: PAYPAL_AMOUNTS, capturesLater: true }),
  row('PayPay', { method: 'paypay', type: 'paypay', currencies: ['JPY'], countries: ['JP'] }),
  row('Rabbit LINE Pay', { method: 'rabbitlinepay', type: 'alipay_plus_rabbitlinepay', currencies: ['THB'], countries: ['TH'], isPartlyRefunded: false }),
  row('Swish', { method: 'swish', type: 'swish', currencies: ['SEK'], countries: ['SE'] }),
  row("Touch 'n Go", { method: 'touchngo', type: 'touchngo', currencies: ['MYR'], countries: ['MY'], isPartlyRefunded: false }),
  row('TrueMoney', { method: 'truemoney', type: 'truemoney', currencies: ['THB'], countries: ['TH'], isPartlyRefunded: false }),
  row('TWINT', { method: 'twint', type: 'twint', currencies: ['CHF'], countries: ['CH'] }),
  row('Vipps', { method: 'vipps', type: 'vipps', currencies: ['NOK'], countries: ['NO'], needs: ['phone'], details: ['telephoneNumber'] }),

  // By a code, which a page of ours shows.
  row('PayNow', { method: 'paynow', type: 'paynow', flow: 'qr', currencies: ['SGD'], countries: ['SG'] }),
  row('Pix', { method: 'pix', type: 'pix', flow: 'qr', currencies: ['BRL'], countries: ['BR'], needs: [...NAMES, 'brazilianTaxId'] }),
  row('PromptPay', { method: 'thaiqr', type: 'promptpay', flow: 'qr', currencies: ['THB'], countries: ['TH'] }),
  row('WeChat Pay', { method: 'wechat', type: 'wechatpayQR', flow: 'qr' }),

  // In an app that Adyen asks.
  row('MB WAY', { method: 'mbway', type: 'mbway', flow: 'push', currencies: ['EUR'], countries: ['PT'], needs: ['phone', 'email'], details: ['shopperEmail', 'telephoneNumber'] }),
  row('OVO', { method: 'ovo', type: 'doku_ovo', flow: 'push', currencies: ['IDR'], countries: ['ID'], isRefunded: false, needs: [...NAMES, 'email'], details: ['firstName', 'lastName', 'shopperEmail'] }),

  // With a voucher. The facts about refunds are open, so there are none.
  row('Boleto', { method: 'boleto', type: 'boletobancario', flow: 'voucher', currencies: ['BRL'], countries: ['BR'], isRefunded: false, needs: [...NAMES, 'email', 'billingAddress', 'brazilianTaxId'] }),
  row('Multibanco', { method: 'multibanco', type: 'multibanco', flow: 'voucher', currencies: ['EUR'], countries: ['PT'], isRefunded: false }),
  row('OXXO', { method: 'oxxo', type: 'oxxo', flow: 'voucher', currencies: ['MXN'], countries: ['MX'], isRefunded: false, needs: [...NAMES, 'email'] }),
  row('7-Eleven', { method: 'seveneleven', type: 'econtext_seven_eleven', flow: 'voucher', currencies: ['JPY'], countries: ['JP'], isRefunded: false, needs: [...NAMES, 'email', 'phone'], details: ['firstName', 'lastName', 'shopperEmail', 'telephoneNumber'] }),
];

/** Returns Adyen's name of a method in a currency. The routing asks no service in another currency than those of the row. */
export const typeIn = ({ type }: AdyenMethod, currency: string): AdyenType | undefined =>
  typeof type === 'string' ? type : type[currency];

/** Returns the id of a method's definition. */
export const idOf = ({ method }: Pick<AdyenMethod, 'method'>): string => `adyen-${method}`;

const BY_ID: ReadonlyMap<string, AdyenMethod> = new Map(ADYEN_METHODS.map((each) => [idOf(each), each]));

/** Finds the row of a definition. Undefined for cards and bank accounts. */
export const rowOf = (definitionId: string): AdyenMethod | undefined => BY_ID.get(definitionId);
