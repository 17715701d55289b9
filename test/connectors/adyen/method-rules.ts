import { invalid, missing, type Answer } from './refusals.ts';

/** How a method pays whose buyer approves or pays elsewhere. */
export type MethodRules = {
  readonly flow: 'redirect' | 'qr' | 'push' | 'voucher';
  /** True if the action with a code has an address, too, which opens the app. */
  readonly opensApp: boolean;
  /** True if a bank decides before the buyer comes back. */
  readonly isOfBank: boolean;
  /** Null means any. */
  readonly currencies: readonly string[] | null;
  readonly countries: readonly string[] | null;
  /** The only currency of each country. Null for any pair of the two. */
  readonly local: Readonly<Record<string, string>> | null;
  readonly capturesLater: boolean;
  /** True if the merchant account may have multiple partial captures for the method. */
  readonly capturesSeveral: boolean;
  readonly isRefunded: boolean;
  /** Null: the facts do not tell, so no payment may depend on it. */
  readonly isPartlyRefunded: boolean | null;
  /** True if a capture or a refund of a part needs lines. */
  readonly needsLinesOfParts: boolean;
  /** The fields of the request without which Adyen refuses the payment. */
  readonly needs: readonly (keyof MethodRequest)[];
};

/** The fields of POST /payments about which the rules of a method say something. */
export type MethodRequest = {
  readonly amount: { readonly currency: string; readonly value: number };
  readonly countryCode?: string;
  readonly shopperName?: object;
  readonly shopperEmail?: string;
  readonly telephoneNumber?: string;
  readonly billingAddress?: object;
  readonly deliveryAddress?: object;
  readonly shopperReference?: string;
  readonly socialSecurityNumber?: string;
  readonly lineItems?: readonly object[];
};

const listed = (text: string): readonly string[] | null => (text === '' ? null : text.split(' '));

const rules = (currencies: string, countries: string, more: Partial<MethodRules> = {}): MethodRules => ({
  ...{
    flow: 'redirect',
    opensApp: false,
    isOfBank: false,
    currencies: listed(currencies),
    countries: listed(countries),
    local: null,
  },
  ...{ capturesLater: false, capturesSeveral: false, isRefunded: true, isPartlyRefunded: true },
  ...{ needsLinesOfParts: false, needs: [] },
  ...more,
});

const UNREFUNDED = { isRefunded: false, isPartlyRefunded: false } as const;

/** Nothing is known of refunds in parts. */
const OPEN = { isPartlyRefunded: null } as const;

const bank = (currencies: string, countries: string): MethodRules =>
  rules(currencies, countries, { isOfBank: true });

const code = (currency: string, country: string, needs: MethodRules['needs'] = []): MethodRules =>
  rules(currency, country, { flow: 'qr', needs });

const voucher = (currency: string, country: string, needs: MethodRules['needs'] = []): MethodRules =>
  rules(currency, country, { flow: 'voucher', ...UNREFUNDED, needs });

const PERSON = ['shopperName', 'shopperEmail'] as const;

/** The buyer pays later, by an invoice with the lines. */
const invoice = (currencies: string, countries: string, more: Partial<MethodRules>): MethodRules =>
  rules(currencies, countries, { capturesLater: true, needsLinesOfParts: true, ...more });

const OF_AFTERPAY = {
  needs: [...PERSON, 'lineItems'],
} as const;

/** Klarna's table of countries and currencies. */
const AT_KLARNA = Object.fromEntries([
  ...['AT', 'BE', 'DE', 'ES', 'FI', 'FR', 'GR', 'IE', 'IT', 'NL', 'PT'].map((country) => [country, 'EUR']),
  ...['AU AUD', 'CA CAD', 'CH CHF', 'CZ CZK', 'DK DKK', 'GB GBP'].map((pair) => pair.split(' ')),
  ...['NO NOK', 'NZ NZD', 'PL PLN', 'SE SEK', 'US USD'].map((pair) => pair.split(' ')),
]) as Readonly<Record<string, string>>;

const klarna = invoice(
  'AUD CAD CHF CZK DKK EUR GBP NOK NZD PLN SEK USD',
  'AT AU BE CA CH CZ DE DK ES FI FR GB GR IE IT NL NO NZ PL PT SE US',
  {
    local: AT_KLARNA,
    capturesSeveral: true,
    needs: [...PERSON, 'shopperReference', 'billingAddress', 'lineItems'],
  },
);

/** PayPal has no fractions of HUF and TWD. */
const OF_PAYPAL =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD';

/** The rules of methods by Adyen's name. Written from the facts about the methods, and not from the connector. */
export const METHOD_RULES: Readonly<Record<string, MethodRules>> = {
  affirm: invoice('CAD USD', 'CA US', {
    needs: [...PERSON, 'telephoneNumber', 'billingAddress', 'deliveryAddress', 'lineItems'],
  }),
  afterpaytouch: invoice('AUD CAD NZD USD', 'AU CA NZ US', OF_AFTERPAY),
  alipay: rules('', ''),
  alipay_hk: rules('HKD USD', 'HK'),
  alipay_plus_rabbitlinepay: rules('THB', 'TH', OPEN),
  bcmc_mobile: rules('EUR', 'BE'),
  bizum: rules('EUR', 'ES'),
  blik: rules('PLN', 'PL'),
  boletobancario: voucher('BRL', 'BR', [...PERSON, 'billingAddress', 'socialSecurityNumber']),
  clearpay: invoice('GBP', 'GB', OF_AFTERPAY),
  dana: rules('IDR', 'ID', OPEN),
  doku_ovo: rules('IDR', 'ID', { flow: 'push', ...UNREFUNDED, needs: PERSON }),
  econtext_seven_eleven: voucher('JPY', 'JP', [...PERSON, 'telephoneNumber']),
  gcash: rules('PHP', 'PH'),
  gopay_wallet: rules('IDR', 'ID', OPEN),
  grabpay_ID: rules('IDR', 'ID'),
  grabpay_MY: rules('MYR', 'MY'),
  grabpay_PH: rules('PHP', 'PH'),
  grabpay_SG: rules('SGD', 'SG'),
  grabpay_TH: rules('THB', 'TH'),
  grabpay_VN: rules('VND', 'VN'),
  ideal: bank('EUR', 'NL'),
  kakaopay: rules('KRW', 'KR'),
  klarna,
  klarna_account: klarna,
  klarna_paynow: klarna,
  mbway: rules('EUR', 'PT', { flow: 'push', needs: ['shopperEmail', 'telephoneNumber'] }),
  mobilepay: rules('DKK EUR', 'DK FI'),
  molpay_boost: rules('MYR', 'MY', OPEN),
  multibanco: voucher('EUR', 'PT'),
  oxxo: voucher('MXN', 'MX', PERSON),
  paybybank: bank('EUR GBP', 'DE FR GB'),
  paymaya_wallet: rules('PHP', 'PH', OPEN),
  paynow: { ...code('SGD', 'SG'), opensApp: true },
  paypal: rules(OF_PAYPAL, '', { capturesLater: true }),
  paypay: rules('JPY', 'JP'),
  pix: code('BRL', 'BR', ['shopperName', 'socialSecurityNumber']),
  promptpay: code('THB', 'TH'),
  scalapay_3x: rules('EUR', 'BE DE ES FR IT PT', {
    needs: [...PERSON, 'telephoneNumber', 'billingAddress', 'deliveryAddress', 'lineItems'],
  }),
  swish: rules('SEK', 'SE'),
  touchngo: rules('MYR', 'MY', OPEN),
  truemoney: rules('THB', 'TH', OPEN),
  trustly: bank('DKK EUR NOK SEK', ''),
  twint: rules('CHF', 'CH'),
  vipps: rules('NOK', 'NO', { needs: ['telephoneNumber'] }),
  wechatpayQR: code('', ''),
  wero: rules('EUR', 'BE DE FR', OPEN),
  zip: rules('AUD NZD USD', 'AU NZ US', {
    needsLinesOfParts: true,
    needs: [...PERSON, 'telephoneNumber', 'billingAddress', 'deliveryAddress'],
  }),
};

/** A CPF or a CNPJ, without punctuation. */
const TAX_NUMBER = /^(\d{11}|[0-9A-Z]{12}\d{2})$/;

/** Refuses what the description allows, and the method does not take. */
export function methodFaultOf(type: string, request: MethodRequest): Answer | null {
  const { currencies = null, countries = null, local = null, needs = [] } = METHOD_RULES[type] ?? {};
  const { amount, countryCode } = request;
  if (currencies && !currencies.includes(amount.currency))
    return invalid('138', 'Unsupported currency specified');
  if (type === 'paypal' && ['HUF', 'TWD'].includes(amount.currency) && amount.value % 100 !== 0)
    return invalid('137', 'Invalid amount specified');
  if (countries && countryCode === undefined) return missing('countryCode');
  if (countries && !countries.includes(countryCode ?? ''))
    return invalid('135', 'The payment method does not work in this country');
  if (local && local[countryCode ?? ''] !== amount.currency)
    return invalid('138', 'Unsupported currency specified');
  const { socialSecurityNumber: taxId } = request;
  if (needs.includes('socialSecurityNumber') && taxId !== undefined && !TAX_NUMBER.test(taxId))
    return invalid('200', 'The field socialSecurityNumber is invalid');
  const absent = needs.find((name) => request[name] === undefined);
  return absent === undefined ? null : missing(absent);
}
