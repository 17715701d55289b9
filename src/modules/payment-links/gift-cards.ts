import type { App } from '../../app.ts';
import type { GiftCardErrorCode } from '../../connectors/gift-cards.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { checkGiftCardBalances, GIFT_CARDS_MAX } from '../payment-methods/index.ts';
import { findCandidates, findReadyServices } from '../payment-services/index.ts';
import type { PaymentLink } from './payment-link.ts';

/** A gift card as a buyer gives it. */
export type GivenGiftCard = { readonly number: string; readonly pin: string };

/** A gift card of which the buyer has given the right PIN, in clear, with what was on it then. */
export type ShownGiftCard = GivenGiftCard & {
  readonly lastFour: string;
  /** Minor units of the link's currency. */
  readonly balance: number;
};

/** What a gift card pays of a link: what the buyer was shown, and never another amount. */
export type GiftCardShare = GivenGiftCard & { readonly amount: number };

/**
 * Why a gift card cannot pay a link. `tooMany`: those before it are as many as there may be, or pay all of it; `unknown`: there is none of this number and PIN; `refused`: the provider has another reason;
 * `unavailable`: it could not be asked for.
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
 * Asks the provider of gift cards what is on one that a buyer wants to pay a link with, beside those `before` it. Nothing is
 * written, and nothing is taken off it. Refuses one that cannot pay anything of it; of one whose PIN is wrong nothing is said but that.
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
  // A link that takes none tells nothing about any.
  if (!(await takesGiftCards(app, link))) return refuse('unavailable');
  const giftCards = [{ number, pin: given.pin }];
  const checked = await checkGiftCardBalances(app, { merchantAccountId }, { giftCards });
  if (!checked.ok) return refuse(...faultsOf(checked.refusals));
  const [said] = checked.value;
  if (!said) return refuse('unavailable');
  if (said.balance === null) return refuse(FAULTS[said.balanceErrorCode ?? 'unknown_error'] ?? 'refused');
  if (said.currency !== currency) return refuse('currency');
  if (said.expirationDate !== null && said.expirationDate <= app.clock.now()) return refuse('expired');
  if (said.balance === 0) return refuse('empty');
  return ok({ number, pin: given.pin, lastFour: said.lastFour, balance: said.balance });
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

/** What is wrong with number and PIN by themselves; anything else is nothing that a buyer can mend. */
function faultsOf(
  refusals: readonly { readonly path: readonly string[] }[],
): readonly [GiftCardFault, ...GiftCardFault[]] {
  const [first, ...rest] = refusals.flatMap(({ path }): GiftCardFault[] => {
    const field = path.at(-1);
    return field === 'number' || field === 'pin' ? [field] : [];
  });
  return first ? [first, ...rest] : ['unavailable'];
}

/** What each gift card pays, and what is left to pay in another way. Minor units. */
export type SharedOut = {
  readonly shares: readonly (ShownGiftCard & GiftCardShare)[];
  readonly left: number;
};

/** Lets gift cards pay an amount, one after the other: each all that is on it, as long as something is left. */
export function shareOut(amount: number, cards: readonly ShownGiftCard[]): SharedOut {
  let left = amount;
  const shares = cards.map((card) => {
    const share = Math.min(card.balance, left);
    left -= share;
    return { ...card, amount: share };
  });
  return { shares: shares.filter((each) => each.amount > 0), left };
}

/**
 * Whether gift cards can pay a link: the service that takes those which are not stored accepts its currency and country. Not one
 * that stores what pays, because a gift card that pays all of it leaves nothing to store.
 */
export async function takesGiftCards(
  app: App,
  { merchantAccountId, amount, currency, country, store }: PaymentLink,
): Promise<boolean> {
  if (amount === 0 || store) return false;
  const method = 'gift-card';
  const [[first], accepting] = await Promise.all([
    findReadyServices(app, merchantAccountId, method),
    findCandidates(app, merchantAccountId, { method, currency, country }),
  ]);
  return accepting.some(({ id }) => id === first?.id);
}
