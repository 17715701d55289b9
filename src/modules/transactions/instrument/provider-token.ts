import type { App } from '../../../app.ts';
import { openProviderToken } from '../../payment-methods/index.ts';
import type { Transaction } from '../model/transaction.ts';

/** The facts of a payment that decide whether a provider's token pays. */
export type TokenPayment = Pick<
  Transaction,
  'merchantAccountId' | 'paymentMethodId' | 'store' | 'merchantInitiated' | 'instrumentType'
>;

/**
 * Opens the token that pays at a service, in clear, for one call. Returns null without such a token. A present buyer pays with
 * the card itself, so that security code and 3DS have an effect. For a merchant-initiated payment the service's token pays.
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
