import type { PaymentSource } from '../model/transaction.ts';

/** The fields of a payment that depend on each other: initiator, source, series, storing. */
export type Combination = {
  readonly paymentSource: PaymentSource;
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  readonly store: boolean;
};

/** A field that contradicts the others, by its name in the input. */
export type BadCombination = { readonly field: keyof Combination; readonly message: string };

const MESSAGES = {
  merchantInitiated:
    'A payment that the merchant initiates must have the source RECURRING, INSTALLMENT or CARD_ON_FILE.',
  isSubsequentPayment:
    'Must be true when the merchant initiates a RECURRING or INSTALLMENT payment: an earlier payment of the buyer started the series.',
  store:
    'Must be true when the buyer makes a RECURRING or INSTALLMENT payment: later payments need the payment method.',
} as const;

/**
 * Refuses a wrong combination, or returns null. The buyer may make any payment. A payment that begins a series must store
 * the method. The merchant may only continue a series or use a card on file.
 */
export function refuseCombination(given: Combination): BadCombination | null {
  const { paymentSource, merchantInitiated, isSubsequentPayment, store } = given;
  const series = paymentSource === 'recurring' || paymentSource === 'installment';
  const refused = (field: keyof typeof MESSAGES): BadCombination => ({ field, message: MESSAGES[field] });
  if (!merchantInitiated) return series && !store ? refused('store') : null;
  if (!series && paymentSource !== 'card_on_file') return refused('merchantInitiated');
  return series && !isSubsequentPayment ? refused('isSubsequentPayment') : null;
}
