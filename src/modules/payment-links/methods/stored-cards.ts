import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { findPaymentMethodsOf, isExpired, type PaymentMethod } from '../../payment-methods/index.ts';
import { findTransactionsOfLinks } from '../../transactions/index.ts';
import type { PaymentLink } from '../payment-link.ts';

// The holder of a link's address may not be its buyer. A stored card is therefore shown without anything that could pay
// elsewhere. Here the card pays only with its security code, which is stored nowhere. Methods that pay without such a
// code (a bank account, a provider's token) are not offered.

/** A stored card of the link's buyer, with the parts that the page may show. */
export type StoredCard = {
  readonly id: string;
  readonly scheme: string | null;
  readonly lastFour: string;
  /** MM/YY. */
  readonly expirationDate: string;
};

/** A stored card that the buyer has chosen. */
export type SubmittedCard = { readonly id: string; readonly securityCode: string };

/** The number of cards that a buyer can compare at a glance. The most recently used are shown. */
const SHOWN_MAX = 5;

/** A buyer who mistypes needs up to three tries at a security code. More suggest guessing. */
export const DECLINES_MAX = 3;

/** The most payments of a link that are read. A real buyer never makes so many, so no decline is missed. */
const PAYMENTS_MAX = 50;

type Link = Pick<PaymentLink, 'merchantAccountId' | 'id' | 'buyerId' | 'currency' | 'country'>;

/**
 * Finds the stored cards that the page offers, the most recently used first. Each has paid before, has not expired, and
 * is not bound to another currency or country. A card that this link had declined three times is no longer offered
 * there.
 */
export async function findStoredCards(app: App, link: Link): Promise<readonly StoredCard[]> {
  const { merchantAccountId, id, buyerId } = link;
  if (buyerId === null) return [];
  const sort = 'cit_last_used_at' as const;
  const [[methods = []], [payments = []]] = await Promise.all([
    findPaymentMethodsOf(app, { merchantAccountId }, [{ buyerId, sort, columns: 'whole' }]),
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

/**
 * Returns the refusal of a stored card for a claimed link, because the page does not offer that card. Null when the
 * card can pay, or none is given.
 */
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
