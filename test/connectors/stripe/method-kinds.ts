/** How a type of payment method pays. */
export type MethodKind = {
  /** Null means any. */
  readonly currencies: readonly string[] | null;
  readonly capturesLater: boolean;
  readonly flow: 'card' | 'debit' | 'redirect' | 'voucher';
  /** The parts of `billing_details` that the type needs. */
  readonly needs: readonly ('name' | 'email')[];
  /** The details without which the type of a new payment method is refused. */
  readonly details: readonly string[];
};

const redirect = (currencies: readonly string[] | null, capturesLater = false): MethodKind => ({
  ...{ currencies, capturesLater, flow: 'redirect', needs: [], details: [] },
});

const debit = (
  currency: string,
  details: readonly string[],
  needs: MethodKind['needs'] = ['name', 'email'],
): MethodKind => ({ currencies: [currency], capturesLater: false, flow: 'debit', needs, details });

const voucher = (currency: string): MethodKind => ({
  ...{ currencies: [currency], capturesLater: false, flow: 'voucher' },
  ...{ needs: ['name', 'email'], details: [] },
});

/** The types of payment methods that the double knows. */
export const METHOD_KINDS: Readonly<Record<string, MethodKind>> = {
  card: { currencies: null, capturesLater: true, flow: 'card', needs: [], details: [] },
  sepa_debit: debit('eur', ['iban']),
  bacs_debit: debit('gbp', ['account_number', 'sort_code']),
  us_bank_account: debit('usd', ['account_number', 'routing_number', 'account_holder_type'], ['name']),
  affirm: redirect(['usd', 'cad'], true),
  afterpay_clearpay: redirect(['usd', 'cad', 'gbp', 'aud', 'nzd'], true),
  alipay: redirect(null),
  alma: redirect(['eur'], true),
  amazon_pay: redirect(null, true),
  bancontact: redirect(['eur']),
  billie: redirect(['eur', 'gbp'], true),
  cashapp: redirect(['usd'], true),
  eps: redirect(['eur']),
  fpx: redirect(['myr']),
  grabpay: redirect(['sgd', 'myr']),
  ideal: redirect(['eur']),
  klarna: redirect(null, true),
  mobilepay: redirect(['dkk', 'eur', 'nok', 'sek'], true),
  p24: redirect(['eur', 'pln']),
  paypal: redirect(null, true),
  revolut_pay: redirect(['eur', 'gbp', 'ron', 'huf', 'pln', 'dkk'], true),
  satispay: redirect(['eur'], true),
  swish: redirect(['sek']),
  twint: redirect(['chf']),
  boleto: voucher('brl'),
  konbini: voucher('jpy'),
  multibanco: voucher('eur'),
  oxxo: voucher('mxn'),
};
