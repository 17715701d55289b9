import type { App } from '../../../app.ts';

/**
 * Returns a function that names a method for the buyer. A method that a package brought has the name of its first
 * definition. The word itself stands for a method whose connector is gone.
 */
export const methodNamer =
  (connectors: App['connectors']) =>
  (method: string): string =>
    METHOD_NAMES[method] ??
    connectors.flatMap(({ definitions }) => definitions).find((each) => each.method === method)
      ?.displayName ??
    method;

/** The names of methods, as the methods write themselves in every language. The dashboard gets a copy from the generator. */
export const METHOD_NAMES: Readonly<Record<string, string>> = {
  affirm: 'Affirm',
  afterpay: 'Afterpay',
  alipay: 'Alipay',
  alipayhk: 'AlipayHK',
  alma: 'Alma',
  amazonpay: 'Amazon Pay',
  applepay: 'Apple Pay',
  atome: 'Atome',
  bancontact: 'Bancontact',
  bizum: 'Bizum',
  blik: 'BLIK',
  boleto: 'Boleto',
  boost: 'Boost',
  cashapp: 'Cash App Pay',
  cashappafterpay: 'Cash App Afterpay',
  clearpay: 'Clearpay',
  dana: 'DANA',
  eps: 'EPS',
  gcash: 'GCash',
  googlepay: 'Google Pay',
  gopay: 'GoPay',
  grabpay: 'GrabPay',
  ideal: 'iDEAL',
  kakaopay: 'KakaoPay',
  klarna: 'Klarna',
  klarnapaynow: 'Klarna Pay now',
  klarnapayovertime: 'Klarna Pay over time',
  konbini: 'Konbini',
  mbway: 'MB WAY',
  mobilepay: 'MobilePay',
  multibanco: 'Multibanco',
  ovo: 'OVO',
  oxxo: 'OXXO',
  p24: 'Przelewy24',
  paybybank: 'Pay by Bank',
  paymaya: 'Maya',
  paynow: 'PayNow',
  paypal: 'PayPal',
  paypay: 'PayPay',
  pix: 'Pix',
  rabbitlinepay: 'Rabbit LINE Pay',
  revolutpay: 'Revolut Pay',
  satispay: 'Satispay',
  scalapay: 'Scalapay',
  seveneleven: '7-Eleven',
  swish: 'Swish',
  thaiqr: 'PromptPay',
  touchngo: "Touch 'n Go",
  truemoney: 'TrueMoney',
  trustly: 'Trustly',
  twint: 'TWINT',
  venmo: 'Venmo',
  vipps: 'Vipps',
  wechat: 'WeChat Pay',
  wero: 'Wero',
  zippay: 'Zip',
};
