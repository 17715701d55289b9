import type { CheckedCard, CheckRequest, ThreeDSecureData } from '../door.ts';
import { amountOf } from './amount.ts';
import { partyOf } from './party.ts';

/** Maps the parts of a payment: that of the payment method, and that of gift cards. A part of nothing is left out. */
export function paymentsOf(request: CheckRequest): readonly object[] {
  const { money, giftCardAmount, buyer, authentication } = request;
  const { currency } = money;
  const billing = buyer?.billingDetails ? partyOf(buyer.billingDetails) : null;
  const rest = amountOf({ amount: money.amount - giftCardAmount, currency });
  const gift = amountOf({ amount: giftCardAmount, currency });
  return [
    ...(giftCardAmount < money.amount || giftCardAmount === 0
      ? [{ amount: rest, billingDetails: billing, ...meansOf(request, verificationOf(authentication)) }]
      : []),
    ...(giftCardAmount > 0 ? [{ amount: gift, billingDetails: billing, giftCard: { value: gift } }] : []),
  ];
}

/** Maps the means of a payment. Forter has a form for cards and for each wallet. Other methods have none. */
export function meansOf(
  { wallet, card }: Pick<CheckRequest, 'wallet' | 'card'>,
  results: object | null,
): object {
  const facts = card && { ...cardOf(card), verificationResults: results };
  switch (wallet) {
    case 'apple_pay':
      return { applePay: facts ?? {} };
    case 'google_pay':
      return { androidPay: facts ?? {} };
    default:
      return facts ? { creditCard: facts } : {};
  }
}

function cardOf({ bin, lastFour, fingerprint, expirationDate, scheme }: CheckedCard) {
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
