import { DECLINE_CODES, meaningsByWord, type DeclineCode } from '../door.ts';

/** The answers of processors by their meaning. Any other code is decided by its kind, hard or soft. */
const BY_CODE = meaningsByWord<DeclineCode>({
  issuer_decline: '2000 2011 2022 2034 2038 2041 2044 2046 2104',
  insufficient_funds: '2001 2002 2003 2056 2086',
  expired_payment_method: '2004',
  unknown_payment_method: '2005 2007 2008 2009 2051',
  incorrect_expiry_date: '2006',
  incorrect_cvv: '2010 2060',
  incorrect_billing_address: '2059',
  canceled_payment_method: '2012 2013 2047 2053 2070 2105 2107 2108',
  suspected_fraud: '2014 2077',
  refused_transaction: '2015 2017 2018 2019 2020 2021 2043 2057 2102 2103 2106',
  duplicate_transaction: '2016 2069 2094',
  unsupported_payment_method: '2023 2024 2032 2093',
  invalid_service_configuration: `2025 2026 2027 2028 2029 2030 2031 2040 2042 2045 2055 2058 2063 2066 2068 2071 2072 2079 2080 2087
    2089 2100`,
  invalid_service_request: '2033 2049 2050 2061 2062 2073 2078',
  invalid_amount: '2048 2097',
  unsupported_currency: '2064 2088 2091',
  unexpected_state: '2036 2037 2039 2054 2090 2095',
  refund_period_expired: '2065',
  expired_authorization: '2067',
  service_decline: '2074 2075 2076 2082 2083 2084 2085 2096',
  requires_buyer_authentication: '2099 2101',
  service_error: '3000',
});

/** The reasons of the gateway, by Braintree's own rules. A repetition is decided by the payment that it repeats. */
const GATEWAY: Readonly<Record<string, DeclineCode | undefined>> = {
  AVS: 'incorrect_billing_address',
  CVV: 'incorrect_cvv',
  AVS_AND_CVV: 'incorrect_cvv',
  DUPLICATE: 'duplicate_transaction',
  FRAUD: 'suspected_fraud',
  RISK_THRESHOLD: 'suspected_fraud',
  PAYMENT_METHOD_BLOCKED: 'suspected_fraud',
  THREE_D_SECURE: 'requires_buyer_authentication',
  APPLICATION_INCOMPLETE: 'invalid_service_configuration',
  MANUAL_TRANSACTIONS_DISABLED: 'invalid_service_configuration',
  EXCESSIVE_RETRY: 'refused_transaction',
  TOKEN_ISSUANCE: 'unsupported_payment_method',
};

/** The meaning of a refusal: the normalised reason, and the way in which the operation ended. */
export type Meaning = { readonly kind: 'declined' | 'failed'; readonly errorCode: DeclineCode };

const meaningOf = (errorCode: DeclineCode): Meaning => ({ kind: DECLINE_CODES[errorCode].kind, errorCode });

/** Returns the meaning of a decline by the processor's code. */
export const declineOf = (code: string | null | undefined, type: string | null | undefined): Meaning =>
  meaningOf(BY_CODE.get(code ?? '') ?? (type === 'HARD' ? 'refused_transaction' : 'other_decline'));

/** Returns the meaning of a rejection by the gateway. */
export const rejectionOf = (reason: string | null | undefined): Meaning =>
  meaningOf(GATEWAY[reason ?? ''] ?? 'service_decline');

/** True for a code after which the processor may have worked. A look-up tells the end. */
export const isUncertain = (code: string | null | undefined): boolean => code?.startsWith('3') === true;

/** The codes by which a processor refuses a repetition, or a payment or refund that an earlier one made impossible. */
const EARLIER: ReadonlySet<string> = new Set([
  ...['2016', '2069', '2094', '2036', '2037', '2039', '2054', '2090', '2095'],
]);

/** True for a code that may tell of an earlier request. Only a look-up tells whether that request was ours. */
export const namesEarlier = (code: string | null | undefined): boolean => EARLIER.has(code ?? '');
