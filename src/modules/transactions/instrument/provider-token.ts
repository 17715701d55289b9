import type { App } from '../../../app.ts';
import { openProviderToken, findTokenServices, paysByTokenAlone } from '../../payment-methods/index.ts';
import { takesCardsInClear, type Candidate } from '../../payment-services/index.ts';
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
  payment: TokenPayment,
  paymentServiceId: string,
): Promise<string | null> {
  const { merchantAccountId, paymentMethodId } = payment;
  return paymentMethodId !== null && isAsked(payment)
    ? openProviderToken(app, { merchantAccountId, paymentMethodId, paymentServiceId })
    : null;
}

/** Lists the services at which a token of their own pays. */
export async function servicesWithToken(app: App, payment: TokenPayment): Promise<readonly string[]> {
  const { merchantAccountId, paymentMethodId } = payment;
  return paymentMethodId !== null && isAsked(payment)
    ? findTokenServices(app, { merchantAccountId, paymentMethodId })
    : [];
}

const isAsked = ({ store, merchantInitiated, instrumentType }: TokenPayment): boolean =>
  !store && (merchantInitiated || paysByTokenAlone(instrumentType));

/** True when a service can take the payment only by a token of its own. */
export const needsToken = (app: App, { instrumentType }: TokenPayment, service: Candidate): boolean =>
  paysByTokenAlone(instrumentType) || (instrumentType === 'pan' && !takesCardsInClear(app, service));
