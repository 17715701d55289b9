import type { App } from '../../../app.ts';
import { openProviderToken } from '../../payment-methods/index.ts';
import type { Transaction } from '../model/transaction.ts';

/** What decides whether a provider's token pays. */
export type TokenPayment = Pick<
  Transaction,
  'merchantAccountId' | 'paymentMethodId' | 'store' | 'merchantInitiated' | 'instrumentType'
>;

/**
 * The token that pays at a service, in clear, for one call; null when none does. A buyer who is there pays with the card itself,
 * so that its security code and 3DS mean something; what the merchant initiates, the service's own token pays where it has one.
 */
export async function tokenAt(
  app: App,
  { merchantAccountId, paymentMethodId, ...payment }: TokenPayment,
  paymentServiceId: string,
): Promise<string | null> {
  const isAsked = payment.merchantInitiated || payment.instrumentType === 'redirect_token';
  if (paymentMethodId === null || payment.store || !isAsked) return null;
  return openProviderToken(app, { merchantAccountId, paymentMethodId, paymentServiceId });
}
