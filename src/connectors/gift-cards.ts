import type { Money } from '../kernel/money.ts';
import type { FollowUpRequest } from './requests.ts';
import type { CallContext } from './call-context.ts';
import type { UnknownCause, Outcome } from './outcome.ts';

/** A gift card in clear, in memory for one call. */
export type GiftCardSecrets = {
  readonly number: string;
  readonly pin: string;
};

/** Why a provider refuses a gift card (facts Appendix B). */
// oxfmt-ignore
export const GIFT_CARD_ERROR_CODES = [
  'invalid_gift_card', 'expired_card', 'inactive_card', 'invalid_service_credentials', 'invalid_amount',
  'incorrect_currency', 'insufficient_funds', 'invalid_service_configuration', 'operation_canceled', 'service_error',
  'service_network_error', 'unknown_error', 'max_gift_cards_reached', 'suspected_fraud', 'canceled_payment_method',
  'duplicate_transaction', 'unexpected_state',
] as const;
export type GiftCardErrorCode = (typeof GIFT_CARD_ERROR_CODES)[number];

/** A provider's code as one of ours; `unknown_error` when it is none of them. */
export const giftCardErrorCode = (code: string): GiftCardErrorCode =>
  GIFT_CARD_ERROR_CODES.find((each) => each === code) ?? 'unknown_error';

/** What a provider says of a card. A refusal is its explicit no; `unknown` says nothing about the card. */
export type GiftCardBalance =
  | { readonly kind: 'known'; readonly money: Money; readonly expiresAt: Date | null }
  | {
      readonly kind: 'refused';
      readonly errorCode: GiftCardErrorCode;
      readonly rawErrorCode: string | null;
      readonly rawErrorMessage: string | null;
    }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/** `key` is the operation's id: one per redemption, the same on every attempt, never the caller's idempotency key. */
export type RedeemRequest = {
  readonly key: string;
  readonly card: GiftCardSecrets;
  readonly money: Money;
};

/**
 * What a provider of gift cards does. The three verbs that move money follow the rules of the connector's other verbs: only
 * an explicit yes is `succeeded`, the outcome's reference is the provider's id of what it did, and the same key is the same
 * work. An unknown outcome is resolved as the connector's `recovery` says.
 */
export type GiftCards = {
  /** Moves nothing, so it needs no key. */
  balance(context: CallContext, card: GiftCardSecrets): Promise<GiftCardBalance>;
  /** Takes money off a card: all that is asked for, or nothing. */
  redeem(context: CallContext, request: RedeemRequest): Promise<Outcome>;
  /** Takes a whole redemption back, as if it had not been; `reference` is the redemption's. */
  unredeem(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  /** Credits the card with a part or all of a redemption; `reference` is the redemption's. */
  refund(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
};
