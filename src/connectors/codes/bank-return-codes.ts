import type { DeclineCode } from './decline-codes.ts';
import type { BankScheme } from '../interface/requests.ts';

/**
 * The reasons of returns, by the code of the scheme:
 *
 * - ACH: the return reason codes of Nacha
 * - SEPA: the external reason codes of ISO 20022
 * - Bacs: the reason codes of ARUDD, and DDIC for an indemnity claim
 */
const REASONS: Readonly<Record<BankScheme, Readonly<Record<string, DeclineCode>>>> = {
  ach: {
    R01: 'insufficient_funds',
    R02: 'canceled_payment_method',
    R03: 'unknown_payment_method',
    R04: 'unknown_payment_method',
    R05: 'disputed_transaction',
    R07: 'canceled_payment_method',
    R08: 'refused_transaction',
    R09: 'insufficient_funds',
    R10: 'disputed_transaction',
    R11: 'disputed_transaction',
    R16: 'unavailable_payment_method',
    R20: 'unsupported_payment_method',
    R29: 'disputed_transaction',
  },
  sepa: {
    AC01: 'unknown_payment_method',
    AC04: 'canceled_payment_method',
    AC06: 'unavailable_payment_method',
    AC13: 'unsupported_payment_method',
    AG01: 'unsupported_transaction',
    AM04: 'insufficient_funds',
    AM05: 'duplicate_transaction',
    MD01: 'canceled_payment_method',
    MD06: 'disputed_transaction',
    MD07: 'canceled_payment_method',
    MS02: 'refused_transaction',
    SL01: 'refused_transaction',
  },
  bacs: {
    '0': 'insufficient_funds',
    '1': 'canceled_payment_method',
    '2': 'canceled_payment_method',
    '3': 'canceled_payment_method',
    '5': 'unknown_payment_method',
    '6': 'canceled_payment_method',
    B: 'canceled_payment_method',
    DDIC: 'disputed_transaction',
  },
};

/** Returns the normalised reason of a return, or `other_decline` for a code without one. */
export const bankReturnReason = (scheme: BankScheme, code: string): DeclineCode =>
  REASONS[scheme][code] ?? 'other_decline';
