/** A part of `billing_details`, or the receiver of the goods. */
type Need = 'address.country' | 'address.line1' | 'email' | 'name' | 'shipping';

/** How a type of payment method pays. Written from the facts about the methods, and not from the connector. */
export type MethodKind = {
  /** Null means any. */
  readonly currencies: readonly string[] | null;
  /** The countries of the payers, where the type needs one. Null means any. */
  readonly countries: readonly string[] | null;
  readonly capturesLater: boolean;
  readonly isRefunded: boolean;
  readonly flow: 'card' | 'debit' | 'qr' | 'redirect' | 'voucher';
  readonly needs: readonly Need[];
  /** The details without which the type of a new payment method is refused. */
  readonly details: readonly string[];
  /** The option without which a confirmation is refused. */
  readonly option: string | null;
};

const kind = (flow: MethodKind['flow'], currencies: string, more: Partial<MethodKind> = {}): MethodKind => ({
  ...{ flow, currencies: currencies === '' ? null : currencies.split(' '), countries: null },
  ...{ capturesLater: false, isRefunded: true, needs: [], details: [], option: null },
  ...more,
});

const redirect = (currencies: string, ...needs: MethodKind['needs']): MethodKind =>
  kind('redirect', currencies, { needs });

const later = (currencies: string, ...needs: MethodKind['needs']): MethodKind =>
  kind('redirect', currencies, { needs, capturesLater: true });

const debit = (
  currency: string,
  details: readonly string[],
  needs: MethodKind['needs'] = ['name', 'email'],
): MethodKind => kind('debit', currency, { needs, details });

const voucher = (currency: string, more: Partial<MethodKind> = {}): MethodKind =>
  kind('voucher', currency, { needs: ['name', 'email'], isRefunded: false, ...more });

const OF_KLARNA = 'AT AU BE CA CH CZ DE DK ES FI FR GB GR IE IT NL NO NZ PL PT RO SE US'.split(' ');

/** The types of payment methods that the double knows. */
export const METHOD_KINDS: Readonly<Record<string, MethodKind>> = {
  card: kind('card', '', { capturesLater: true }),
  sepa_debit: debit('eur', ['iban']),
  bacs_debit: debit('gbp', ['account_number', 'sort_code']),
  us_bank_account: debit('usd', ['account_number', 'routing_number', 'account_holder_type'], ['name']),
  affirm: later('cad usd', 'address.line1', 'shipping'),
  afterpay_clearpay: later('aud cad gbp nzd usd', 'name', 'email', 'shipping'),
  alipay: redirect('aud cad cny eur gbp hkd jpy myr nzd sgd usd'),
  alma: later('eur'),
  amazon_pay: later('aud chf dkk eur gbp hkd jpy nok nzd sek usd zar'),
  bancontact: redirect('eur', 'name'),
  billie: later('eur gbp'),
  cashapp: later('usd'),
  eps: redirect('eur', 'name'),
  fpx: redirect('myr'),
  grabpay: redirect('myr sgd'),
  ideal: redirect('eur'),
  kakao_pay: later('krw'),
  klarna: {
    ...later('aud cad chf czk dkk eur gbp nok nzd pln sek usd', 'address.country'),
    countries: OF_KLARNA,
  },
  mobilepay: later('dkk eur nok sek'),
  p24: redirect('eur pln', 'email'),
  pay_by_bank: redirect('eur gbp'),
  paypal: later(
    'aud brl cad chf cny czk dkk eur gbp hkd huf ils jpy mxn myr nok nzd php pln sek sgd thb twd usd',
  ),
  paypay: redirect('jpy'),
  revolut_pay: later('dkk eur gbp huf pln ron'),
  satispay: later('eur'),
  swish: redirect('sek'),
  twint: redirect('chf'),
  zip: redirect('aud'),
  paynow: kind('qr', 'sgd'),
  pix: kind('qr', 'brl'),
  promptpay: kind('qr', 'thb', { needs: ['email'] }),
  wechat_pay: kind('qr', 'aud cad chf cny dkk eur gbp hkd jpy nok sek sgd usd', { option: 'client' }),
  boleto: voucher('brl', { needs: ['name', 'email', 'address.line1'], details: ['tax_id'] }),
  konbini: voucher('jpy'),
  multibanco: voucher('eur', { needs: ['email'], isRefunded: true }),
  oxxo: voucher('mxn'),
};
