import { termOf, wordsOf } from '../buyers/terms.ts';
import type { PaymentMethod } from './payment-method.ts';

/** What a payment method is found by, each once: its external identifier whole and by its words, digits, scheme, method. */
export function paymentMethodTerms(paymentMethod: PaymentMethod): string[] {
  const { externalIdentifier, lastFour, bin, scheme, method, bankScheme } = paymentMethod;
  const whole = [externalIdentifier, lastFour, bin, scheme, method, bankScheme].flatMap((text) => text ?? []);
  return [...new Set([...whole.map(termOf), ...wordsOf(externalIdentifier ?? '')])];
}
