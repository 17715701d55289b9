import type { Payload } from './harness.ts';
import { record } from './made.ts';
import type { Scenario } from './scenarios.ts';

/** A payment link. The database's clock decides if its input has become invalid. Other tests cover this. */
export const createPaymentLink: Scenario = {
  makes: record('payment_link', 'merchant_account_id = $1'),
  given: async () => {
    const input = { amount: 1299, currency: 'USD', country: 'US', merchantName: 'Shop' };
    return {
      input: { input },
      alike: { input: { ...input, intent: 'AUTHORIZE', store: false, cartItems: [], returnUrl: null } },
      other: { input: { ...input, amount: 1300, merchantColor: '#0a0' } },
      refused: { input: { ...input, merchantColor: 'reddish' } },
    };
  },
  differs: ['input.amount', 'input.merchantColor'],
  refusal: 'INVALID_INPUT',
  repeatable: true,
  meanwhile: (tenant, made) => tenant.make('expirePaymentLink', { id: idOf(made) }),
};

const idOf = ({ paymentLink }: Payload): string => {
  if (typeof paymentLink !== 'object' || paymentLink === null || !('id' in paymentLink))
    throw new Error('No payment link was made.');
  return String(paymentLink.id);
};
