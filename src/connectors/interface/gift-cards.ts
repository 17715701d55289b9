import type { Money } from '../../kernel/money.ts';
import type { FollowUpRequest } from './requests.ts';
import type { CallContext } from './call-context.ts';
import type { UnknownCause, Outcome } from './outcome.ts';

/** The number and PIN of a gift card in clear. Held in memory for one call. */
export type GiftCardSecrets = {
  readonly number: string;
  readonly pin: string;
};

/** Reasons for which a provider refuses a gift card. */
// oxfmt-ignore
export const GIFT_CARD_ERROR_CODES = [
  'invalid_gift_card', 'expired_card', 'inactive_card', 'invalid_service_credentials', 'invalid_amount',
  'incorrect_currency', 'insufficient_funds', 'invalid_service_configuration', 'operation_canceled', 'service_error',
  'service_network_error', 'unknown_error', 'max_gift_cards_reached', 'suspected_fraud', 'canceled_payment_method',
  'duplicate_transaction', 'unexpected_state',
] as const;
export type GiftCardErrorCode = (typeof GIFT_CARD_ERROR_CODES)[number];

/** Maps a provider's code to our code, or to `unknown_error` if no code fits. */
export const giftCardErrorCode = (code: string): GiftCardErrorCode =>
  GIFT_CARD_ERROR_CODES.find((each) => each === code) ?? 'unknown_error';

/**
 * A provider's answer about a card. `refused` needs an explicit refusal. `unknown` says nothing about the card.
 */
export type GiftCardBalance =
  | { readonly kind: 'known'; readonly money: Money; readonly expiresAt: Date | null }
  | {
      readonly kind: 'refused';
      readonly errorCode: GiftCardErrorCode;
      readonly rawErrorCode: string | null;
      readonly rawErrorMessage: string | null;
    }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/**
 * A request to redeem money. `key` is the operation's id: the same on every attempt, never the caller's
 * idempotency key.
 */
export type RedeemRequest = {
  readonly key: string;
  readonly card: GiftCardSecrets;
  readonly money: Money;
};

/**
 * The calls of a gift card provider.
 *
 * Three calls move money and follow the rules of the connector's other verbs:
 *
 * - Only an explicit approval is `succeeded`.
 * - `reference` of the outcome is the provider's id of the redemption, reversal or refund.
 * - The same key never moves money twice.
 * - The connector's `recovery` says how to resolve an unknown outcome.
 */
export type GiftCards = {
  /** Returns the balance of a card. Moves no money, so the call needs no key. */
  balance(context: CallContext, card: GiftCardSecrets): Promise<GiftCardBalance>;
  /** Takes the whole amount from a card, or nothing. */
  redeem(context: CallContext, request: RedeemRequest): Promise<Outcome>;
  /** Reverses a whole redemption, as if it never happened. `reference` names the redemption. */
  unredeem(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  /** Credits part or all of a redemption to its card. `reference` names the redemption. */
  refund(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
};
