import { partsOf, termOf } from '../model/search-terms.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

/**
 * Returns the search terms of a payment method, each once: the parts of the external identifier, digits, scheme and
 * method.
 */
export function paymentMethodTerms(paymentMethod: Searched): string[] {
  const { externalIdentifier, lastFour, bin, scheme, method, bankScheme } = paymentMethod;
  const whole = [externalIdentifier, lastFour, bin, scheme, method, bankScheme].flatMap((text) => text ?? []);
  return [...new Set([...whole.map(termOf), ...partsOf(externalIdentifier ?? '')])];
}

type Searched = Pick<
  PaymentMethod,
  'externalIdentifier' | 'lastFour' | 'bin' | 'scheme' | 'method' | 'bankScheme'
>;
