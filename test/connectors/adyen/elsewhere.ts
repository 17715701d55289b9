import { AUTHORISED } from './decisions.ts';
import type { ModificationKind, Payment } from './model.ts';
import { modify } from './modifications.ts';
import { conclude } from './payments.ts';
import type { State } from './state.ts';

/**
 * The hand of a person in the Customer Area, or of another program with the same account. An act is received like a request, and
 * decided with the next webhooks, by Adyen's rules. Its webhook has the reference of the payment. Amounts are in minor units.
 * Each act returns its psp reference.
 */
export function elsewhere(state: State, find: (reference: string) => Payment) {
  const act = (kind: ModificationKind, reference: string, value?: number): string => {
    const { pspReference, amount } = find(reference);
    const { status, body } = modify(state, kind, pspReference, {
      merchantAccount: state.settings.merchantAccount,
      ...(value !== undefined && { amount: { ...amount, value } }),
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { readonly pspReference: string }).pspReference;
  };
  return {
    capture: (reference: string, value = find(reference).amount.value) => act('capture', reference, value),
    refund: (reference: string, value = find(reference).captured - find(reference).refunded) =>
      act('refund', reference, value),
    cancel: (reference: string) => act('cancel', reference),
    /** The button that cancels an authorisation, or refunds everything captured. */
    cancelOrRefund: (reference: string) => act('reversal', reference),
    /** Changes the authorised amount to a total. */
    adjust: (reference: string, total: number) => act('amount_update', reference, total),
    /** The issuer approves a refused payment after all, under the same psp reference. */
    approve: (reference: string): string => {
      const payment = find(reference);
      if (payment.status !== 'refused') throw new Error(`The payment is ${payment.status}.`);
      conclude(state, payment, AUTHORISED);
      return payment.pspReference;
    },
  };
}
