import type { CheckedCard, CheckRequest, ThreeDSecureData } from '../door.ts';
import { amountOf } from './amount.ts';
import { partyOf } from './party.ts';

/** Maps the parts of a payment: that of the payment method, and that of gift cards. A part of nothing is left out. */
export function paymentsOf(request: CheckRequest): readonly object[] {
  const { money, giftCardAmount, buyer } = request;
  const { currency } = money;
  const billing = buyer?.billingDetails ? partyOf(buyer.billingDetails) : null;
  const rest = amountOf({ amount: money.amount - giftCardAmount, currency });
  const gift = amountOf({ amount: giftCardAmount, currency });
  return [
    ...(giftCardAmount < money.amount || giftCardAmount === 0
      ? [{ amount: rest, billingDetails: billing, ...meansOf(request) }]
      : []),
    ...(giftCardAmount > 0 ? [{ amount: gift, billingDetails: billing, giftCard: { value: gift } }] : []),
  ];
}

/** Forter has a form for cards, for each wallet and for PayPal. Other methods are told by their amount alone. */
function meansOf({ wallet, card, authentication }: CheckRequest): object {
  const facts = card && { ...cardOf(card), verificationResults: verificationOf(authentication) };
  switch (wallet) {
    case 'apple_pay':
      return { applePay: facts ?? {} };
    case 'google_pay':
      return { androidPay: facts ?? {} };
    default:
      return facts ? { creditCard: facts } : {};
  }
}

/** Maps a card. Null values are left out of the request. */
export function cardOf({ bin, lastFour, fingerprint, expirationDate, scheme }: CheckedCard) {
  const [month = null, year = null] = expirationDate?.split('/') ?? [];
  return {
    ...{ bin, lastFourDigits: lastFour, fingerprint },
    expirationMonth: month,
    expirationYear: year && `20${year}`,
    cardBrand: scheme?.toUpperCase() ?? null,
  };
}

/** Maps the result of an authentication. Its proof is for the card's scheme alone. */
export const verificationOf = (authentication: ThreeDSecureData | null) =>
  authentication && {
    eciValue: authentication.eci,
    threeDsVersion: authentication.version,
    threeDsStatusCode: authentication.authenticationResponse ?? authentication.directoryResponse,
  };
