import type { App } from '../../../app.ts';
import type { GiftCardErrorCode } from '../../../connectors/interface/gift-cards.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { checkGiftCardBalances, GIFT_CARDS_MAX } from '../../payment-methods/index.ts';
import { findCandidates, findReadyServices } from '../../payment-services/index.ts';
import type { PaymentLink } from '../payment-link.ts';

/** A gift card as a buyer enters it. */
export type GivenGiftCard = { readonly number: string; readonly pin: string };

/** A gift card in clear, entered with the right PIN, and its balance at that time. */
export type ShownGiftCard = GivenGiftCard & {
  readonly lastFour: string;
  /** Minor units of the link's currency. */
  readonly balance: number;
};

/** The payment of a link by a gift card: the amount that the buyer saw, and never another. */
export type GiftCardShare = GivenGiftCard & { readonly amount: number };

/**
 * The reason why a gift card cannot pay a link:
 * - `tooMany`: the earlier cards reach the limit, or pay the whole amount
 * - `unknown`: no card has this number and PIN
 * - `refused`: the provider has another reason
 * - `unavailable`: the provider could not be asked
 */
export type GiftCardFault =
  | 'number'
  | 'pin'
  | 'unknown'
  | 'expired'
  | 'inactive'
  | 'empty'
  | 'currency'
  | 'twice'
  | 'tooMany'
  | 'refused'
  | 'unavailable';

/**
 * Asks the gift-card provider for the balance of another card for a link, beside those `before` it. Writes and charges
 * nothing. Refuses a card that covers nothing. A wrong PIN reveals nothing else about the card.
 */
export async function checkGiftCard(
  app: App,
  link: PaymentLink,
  given: GivenGiftCard,
  before: readonly ShownGiftCard[],
): Promise<Result<ShownGiftCard, GiftCardFault>> {
  const { merchantAccountId, currency } = link;
  const number = given.number.replaceAll(' ', '');
  if (before.length >= GIFT_CARDS_MAX || shareOut(link.amount, before).left === 0) return refuse('tooMany');
  if (before.some((each) => each.number === number)) return refuse('twice');
  // A link without gift cards reveals nothing about any.
  if (!(await takesGiftCards(app, link))) return refuse('unavailable');
  const giftCards = [{ number, pin: given.pin }];
  const checked = await checkGiftCardBalances(app, { merchantAccountId }, { giftCards });
  if (!checked.ok) return refuse(...faultsOf(checked.refusals));
  const [reported] = checked.value;
  if (!reported) return refuse('unavailable');
  if (reported.balance === null)
    return refuse(FAULTS[reported.balanceErrorCode ?? 'unknown_error'] ?? 'refused');
  if (reported.currency !== currency) return refuse('currency');
  if (reported.expirationDate !== null && reported.expirationDate <= app.clock.now())
    return refuse('expired');
  if (reported.balance === 0) return refuse('empty');
  return ok({ number, pin: given.pin, lastFour: reported.lastFour, balance: reported.balance });
}

const FAULTS: Readonly<Partial<Record<GiftCardErrorCode, GiftCardFault>>> = {
  invalid_gift_card: 'unknown',
  expired_card: 'expired',
  inactive_card: 'inactive',
  service_error: 'unavailable',
  service_network_error: 'unavailable',
  invalid_service_credentials: 'unavailable',
  invalid_service_configuration: 'unavailable',
};

/** Returns the faults of number and PIN themselves. The buyer cannot correct any other fault. */
function faultsOf(
  refusals: readonly { readonly path: readonly string[] }[],
): readonly [GiftCardFault, ...GiftCardFault[]] {
  const [first, ...rest] = refusals.flatMap(({ path }): GiftCardFault[] => {
    const field = path.at(-1);
    return field === 'number' || field === 'pin' ? [field] : [];
  });
  return first ? [first, ...rest] : ['unavailable'];
}

/** The amount that each gift card pays, and the amount left for another method. Minor units. */
export type SharedOut = {
  readonly payingCards: readonly (ShownGiftCard & GiftCardShare)[];
  readonly left: number;
};

/** Splits an amount over gift cards in order. Each pays up to its whole balance while something is left. */
export function shareOut(amount: number, cards: readonly ShownGiftCard[]): SharedOut {
  let left = amount;
  const payingCards = cards.map((card) => {
    const share = Math.min(card.balance, left);
    left -= share;
    return { ...card, amount: share };
  });
  return { payingCards: payingCards.filter((each) => each.amount > 0), left };
}

/**
 * Tells whether gift cards can pay a link. Requires a service for gift cards that are not stored, which accepts its
 * currency and country. False for a link that stores its payment method: gift cards that pay everything leave nothing
 * to store. False for a link with shares of accounts, too, because a gift card pays into one account.
 */
export async function takesGiftCards(
  app: App,
  { merchantAccountId, amount, currency, country, store, splits }: PaymentLink,
): Promise<boolean> {
  if (amount === 0 || store || splits) return false;
  const method = 'gift-card';
  const [[first], accepting] = await Promise.all([
    findReadyServices(app, merchantAccountId, method),
    findCandidates(app, merchantAccountId, { method, currency, country }),
  ]);
  return accepting.some(({ id }) => id === first?.id);
}
