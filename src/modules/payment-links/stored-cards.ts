import type { App } from '../../app.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { findPaymentMethodsOf, isExpired, type PaymentMethod } from '../payment-methods/index.ts';
import { findTransactionsOfLinks } from '../transactions/index.ts';
import type { PaymentLink } from './payment-link.ts';

// Whoever holds the address of a link may be another than its buyer. So what is shown of a stored card tells nobody how to pay
// with it elsewhere, and here it pays only with its security code, which is kept nowhere. What would pay without one (a bank
// account, a provider's token) is not offered.

/** A stored card of the link's buyer, as far as the page may show it. */
export type StoredCard = {
  readonly id: string;
  readonly scheme: string | null;
  readonly lastFour: string;
  /** MM/YY. */
  readonly expirationDate: string;
};

/** A stored card that the buyer has chosen. */
export type SubmittedCard = { readonly id: string; readonly securityCode: string };

/** As many as can be taken in at once, those that the buyer used last. */
const SHOWN_MAX = 5;

/** Three tries at a security code are a buyer who mistypes; more would be somebody who guesses. */
export const DECLINES_MAX = 3;

/** So many payments of one link are no buyer's; and all of them are read, so that no decline is missed. */
const PAYMENTS_MAX = 50;

type Link = Pick<PaymentLink, 'merchantAccountId' | 'id' | 'buyerId' | 'currency' | 'country'>;

/**
 * The stored cards of a link's buyer that the page offers, the one that the buyer used last first: those that have paid before,
 * have not expired, and are not bound to another currency or country. One that this link had declined three times is not offered
 * there again.
 */
export async function findStoredCards(app: App, link: Link): Promise<readonly StoredCard[]> {
  const { merchantAccountId, id, buyerId } = link;
  if (buyerId === null) return [];
  const sort = 'cit_last_used_at' as const;
  const [[methods = []], [payments = []]] = await Promise.all([
    findPaymentMethodsOf(app, { merchantAccountId }, [{ buyerId, sort }]),
    findTransactionsOfLinks(app, { merchantAccountId }, [id]),
  ]);
  if (payments.length >= PAYMENTS_MAX) return [];
  const declines = (cardId: string): number =>
    payments.filter((each) => each.paymentMethodId === cardId && each.status === 'authorization_declined')
      .length;
  const now = app.clock.now();
  return methods
    .filter((method) => pays(method, link))
    .flatMap(({ id: cardId, scheme, lastFour, expirationDate }): StoredCard[] =>
      lastFour === null || expirationDate === null || isExpired(expirationDate, now)
        ? []
        : [{ id: cardId, scheme, lastFour, expirationDate }],
    )
    .slice(0, SHOWN_MAX)
    .filter(({ id: cardId }) => declines(cardId) < DECLINES_MAX);
}

const pays = (method: PaymentMethod, { currency, country }: Link): boolean =>
  method.instrumentType === 'pan' &&
  method.status === 'succeeded' &&
  (method.currency === null || method.currency === currency) &&
  (method.country === null || method.country === country);

/** Why a stored card cannot pay a link that is claimed: it is not among those that the page offers; null when it can, or none is given. */
export async function refuseStored(
  app: App,
  link: Link,
  given: SubmittedCard | undefined,
): Promise<InvalidInput | null> {
  if (!given) return null;
  const offered = await findStoredCards(app, link);
  return offered.some(({ id }) => id === given.id.toLowerCase()) ? null : NOT_OFFERED;
}

const NOT_OFFERED = invalidInput(
  ['input', 'paymentMethod', 'stored', 'id'],
  'The payment link does not offer this payment method.',
);
