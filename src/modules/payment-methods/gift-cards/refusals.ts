import type { GiftCardBalance, GiftCardErrorCode } from '../../../connectors/interface/gift-cards.ts';

/** The gift-card service refused the card or gave no answer. */
export type GiftCardRefused = {
  readonly kind: 'GiftCardRefused';
  readonly path: readonly string[];
  readonly message: string;
  readonly giftCardErrorCode: GiftCardErrorCode;
};

/** Returns the refusal of a card without a balance. The service's own words are not repeated. */
export function refusedBalance(
  balance: Exclude<GiftCardBalance, { readonly kind: 'known' }>,
  path: readonly string[],
): GiftCardRefused {
  const giftCardErrorCode = errorCodeOf(balance);
  return giftCardRefused(giftCardErrorCode, path, balance.kind === 'unknown' ? NO_ANSWER : undefined);
}

/** Returns the refusal of a card, with the message of its code. */
export const giftCardRefused = (
  giftCardErrorCode: GiftCardErrorCode,
  path: readonly string[],
  message = sentences[giftCardErrorCode] ?? `The gift-card service refused the card: ${giftCardErrorCode}.`,
): GiftCardRefused => ({ kind: 'GiftCardRefused', giftCardErrorCode, path, message });

/** Returns the code of an answer without a balance. */
export function errorCodeOf(
  balance: Exclude<GiftCardBalance, { readonly kind: 'known' }>,
): GiftCardErrorCode {
  if (balance.kind === 'refused') return balance.errorCode;
  const { cause } = balance;
  return cause === 'timeout' || cause === 'connection' ? 'service_network_error' : 'service_error';
}

const NO_ANSWER = 'The gift-card service gave no answer. Nothing changed. Send the same request again later.';

const CONFIGURATION =
  'The gift-card service refuses the credentials or settings. Correct them with updatePaymentService.';

const sentences: Readonly<Partial<Record<GiftCardErrorCode, string>>> = {
  invalid_gift_card: 'The gift-card service has no card with this number and PIN.',
  expired_card: 'The gift card has expired.',
  inactive_card: 'The gift card is not active. Activate the card first.',
  invalid_service_credentials: CONFIGURATION,
  invalid_service_configuration: CONFIGURATION,
  service_error: NO_ANSWER,
  service_network_error: NO_ANSWER,
};
