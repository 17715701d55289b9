/** A decline, in the words of Stripe's error. */
export type Decline = {
  readonly code: string;
  readonly decline_code?: string;
  readonly blocked?: boolean;
  readonly advice_code?: string;
  readonly network_decline_code?: string;
};

/** The documented outcome of a payment with a test card. */
export type CardBehaviour = {
  readonly decline?: Decline;
  /**
   * The payments that need the buyer.
   *
   * - `always`: each payment.
   * - `unless_stored`: each payment until the card was set up for payments without the buyer.
   */
  readonly authenticates?: 'always' | 'unless_stored';
  readonly dispute?: { readonly reason: string; readonly isInquiry: boolean };
  readonly isReportedFraud?: boolean;
  readonly refund?: 'pending' | 'fails';
  readonly checks?: { readonly line1?: Check; readonly postal?: Check; readonly cvc?: Check };
};

export type Check = 'pass' | 'fail' | 'unavailable' | 'unchecked';

export type TestCard = {
  readonly number: string;
  readonly name: string | null;
  readonly brand: string;
  readonly funding: 'credit' | 'debit' | 'prepaid';
  readonly behaviour: CardBehaviour;
};

const card = (
  number: string,
  name: string | null,
  behaviour: CardBehaviour = {},
  brand = 'visa',
  funding: TestCard['funding'] = 'credit',
): TestCard => ({ number, name, brand, funding, behaviour });

const declined = (code: string, decline_code?: string): CardBehaviour => ({
  decline: decline_code === undefined ? { code } : { code, decline_code },
});

/** The test cards of Stripe's documentation, with the name of the payment method that stands for each. */
const CARDS: readonly TestCard[] = [
  card('4242424242424242', 'pm_card_visa'),
  card('4000056655665556', 'pm_card_visa_debit', {}, 'visa', 'debit'),
  card('5555555555554444', 'pm_card_mastercard', {}, 'mastercard'),
  card('5200828282828210', 'pm_card_mastercard_debit', {}, 'mastercard', 'debit'),
  card('5105105105105100', 'pm_card_mastercard_prepaid', {}, 'mastercard', 'prepaid'),
  card('378282246310005', 'pm_card_amex', {}, 'amex'),
  card('6011111111111117', 'pm_card_discover', {}, 'discover'),
  card('3056930009020004', 'pm_card_diners', {}, 'diners'),
  card('3566002020360505', 'pm_card_jcb', {}, 'jcb'),
  card('6200000000000005', 'pm_card_unionpay', {}, 'unionpay'),
  card('4000000000000002', 'pm_card_visa_chargeDeclined', declined('card_declined', 'generic_decline')),
  card(
    '4000000000009995',
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    declined('card_declined', 'insufficient_funds'),
  ),
  card('4000000000009987', 'pm_card_visa_chargeDeclinedLostCard', declined('card_declined', 'lost_card')),
  card('4000000000009979', 'pm_card_visa_chargeDeclinedStolenCard', declined('card_declined', 'stolen_card')),
  card('4000000000000069', 'pm_card_chargeDeclinedExpiredCard', declined('expired_card', 'expired_card')),
  card('4000000000000127', 'pm_card_chargeDeclinedIncorrectCvc', declined('incorrect_cvc', 'incorrect_cvc')),
  card(
    '4000000000000119',
    'pm_card_chargeDeclinedProcessingError',
    declined('processing_error', 'processing_error'),
  ),
  card(
    '4000000000006975',
    'pm_card_visa_chargeDeclinedVelocityLimitExceeded',
    declined('card_declined', 'card_velocity_exceeded'),
  ),
  card('4000000000000341', 'pm_card_chargeCustomerFail', declined('card_declined', 'generic_decline')),
  card('4100000000000019', 'pm_card_radarBlock', {
    decline: { code: 'card_declined', decline_code: 'fraudulent', blocked: true },
  }),
  card('4000000000000101', 'pm_card_cvcCheckFail', { checks: { cvc: 'fail' } }),
  card('4000000000000010', 'pm_card_avsFail', { checks: { line1: 'fail', postal: 'fail' } }),
  card('4000000000000028', 'pm_card_avsLine1Fail', { checks: { line1: 'fail' } }),
  card('4000000000000036', 'pm_card_avsZipFail', { checks: { postal: 'fail' } }),
  card('4000000000000044', 'pm_card_avsUnchecked', {
    checks: { line1: 'unavailable', postal: 'unavailable' },
  }),
  card('4000000000000259', 'pm_card_createDispute', {
    dispute: { reason: 'fraudulent', isInquiry: false },
  }),
  card('4000000000002685', 'pm_card_createDisputeProductNotReceived', {
    dispute: { reason: 'product_not_received', isInquiry: false },
  }),
  card('4000000000001976', 'pm_card_createDisputeInquiry', {
    dispute: { reason: 'general', isInquiry: true },
  }),
  card('4000000000005423', 'pm_card_createIssuerFraudRecord', { isReportedFraud: true }),
  card('4000000000007726', 'pm_card_pendingRefund', { refund: 'pending' }),
  card('4000000000005126', 'pm_card_refundFail', { refund: 'fails' }),
  card('4000000000000077', 'pm_card_bypassPending'),
  card('4000000000003220', 'pm_card_threeDSecure2Required', { authenticates: 'always' }),
  card('4000002760003184', 'pm_card_authenticationRequired', { authenticates: 'always' }),
  card('4000002500003155', 'pm_card_authenticationRequiredOnSetup', { authenticates: 'unless_stored' }),
  card('4000003800000446', 'pm_card_authenticationRequiredSetupForOffSession', {
    authenticates: 'unless_stored',
  }),
  card('4000008260003178', 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', {
    authenticates: 'always',
    ...declined('card_declined', 'insufficient_funds'),
  }),
  card('4000008400001629', 'pm_card_threeDSecureRequiredChargeDeclined', {
    authenticates: 'always',
    ...declined('card_declined', 'generic_decline'),
  }),
  card('4000008400001280', 'pm_card_threeDSecureRequiredProcessingError', {
    authenticates: 'always',
    ...declined('processing_error', 'processing_error'),
  }),
];

const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^3[47]/, 'amex'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^6(011|4|5)/, 'discover'],
  [/^35/, 'jcb'],
  [/^3[068]/, 'diners'],
  [/^62/, 'unionpay'],
];

/** Returns the test card of a name such as `pm_card_visa`. */
export const findTestName = (name: string): TestCard | undefined =>
  CARDS.find((each) => each.name === name) ??
  // The documentation also uses the names without the brand.
  CARDS.find((each) => each.name?.replace('_visa_', '_') === name);

/** Returns the test card of a token such as `tok_visa`. Any other token of a wallet is a usual card. */
export const findTestToken = (token: string): TestCard | undefined =>
  findTestName(token.replace(/^tok_/, 'pm_card_'));

/** Returns the test card of a number. Another valid number is a card that pays. */
export function findTestNumber(number: string): TestCard | null {
  const known = CARDS.find((each) => each.number === number);
  if (known) return known;
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return null;
  const brand = BRANDS.find(([pattern]) => pattern.test(number))?.[1] ?? 'visa';
  return card(number, null, {}, brand);
}

function passesLuhn(number: string): boolean {
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

/** The documented outcome of a debit of a test account. Times are by the scheme unless `isSlow`. */
export type DebitBehaviour = {
  readonly failure?: string;
  readonly isSlow?: boolean;
  /** True if the debit succeeds, and the buyer's bank takes it back later. */
  readonly isReturned?: boolean;
  /** True if the debit never ends by itself. */
  readonly isEndless?: boolean;
};

/** The test accounts of Stripe's documentation. Any other account pays. */
const ACCOUNTS: Readonly<Record<string, DebitBehaviour>> = {
  // SEPA
  DE08370400440532013003: { isSlow: true },
  DE62370400440532013001: { failure: 'generic_decline' },
  AT861904300235473202: { failure: 'generic_decline' },
  DE78370400440532013004: { failure: 'generic_decline', isSlow: true },
  DE35370400440532013002: { isReturned: true },
  DE65370400440000343434: { failure: 'charge_exceeds_source_limit' },
  DE27370400440000121212: { failure: 'charge_exceeds_weekly_limit' },
  DE65370400440002222227: { failure: 'insufficient_funds' },
  // ACH
  '000111111116': { failure: 'account_closed' },
  '000111111113': { failure: 'no_account' },
  '000222222227': { failure: 'insufficient_funds' },
  '000333333335': { failure: 'debit_not_authorized' },
  '000444444440': { failure: 'invalid_currency' },
  '000555555559': { isReturned: true },
  '000000000009': { isEndless: true },
  // Bacs
  '90012345': { isSlow: true },
  '33333335': { failure: 'debit_not_authorized' },
  '93333335': { failure: 'debit_not_authorized', isSlow: true },
  '22222227': { failure: 'insufficient_funds' },
  '92222227': { failure: 'insufficient_funds', isSlow: true },
  '55555559': { isReturned: true },
};

export const findTestAccount = (account: string): DebitBehaviour => ACCOUNTS[account] ?? {};

/** The names of payment methods that stand for accounts of the United States. */
export const TEST_BANK_NAMES: Readonly<Record<string, string>> = {
  pm_usBankAccount: '000123456789',
  pm_usBankAccount_success: '000123456789',
  pm_usBankAccount_accountClosed: '000111111116',
  pm_usBankAccount_noAccount: '000111111113',
  pm_usBankAccount_insufficientFunds: '000222222227',
  pm_usBankAccount_debitNotAuthorized: '000333333335',
  pm_usBankAccount_invalidCurrency: '000444444440',
  pm_usBankAccount_dispute: '000555555559',
  pm_usBankAccount_processing: '000000000009',
};
