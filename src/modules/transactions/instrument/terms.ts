import type { MerchantProfile } from '../../../connectors/interface/merchant-profile.ts';
import type { AuthenticationWish } from '../../../connectors/interface/three-d-secure.ts';
import type { PaymentMethod } from '../../payment-methods/index.ts';
import type { Candidate } from '../../payment-services/index.ts';
import type { Transaction } from '../model/transaction.ts';

/** The settings of a payment service for one authorisation, as they were at the claim. A repeat has the same. */
export type Terms = {
  /** The merchant at the card's scheme. Null without a profile, or if the scheme is unknown. */
  readonly merchantProfile: MerchantProfile | null;
  /** True to refer to the scheme's id of the earlier payment with the stored payment method. */
  readonly refersToEarlier: boolean;
  /** The scheme's id of the series, which the merchant gave with the stored payment method. Null if unknown. */
  readonly transactionLinkId: string | null;
  /** The wish for an authentication by the provider. */
  readonly authentication: AuthenticationWish;
};

/** The terms of an authorisation from before terms were kept. */
export const EARLIER_TERMS: Terms = {
  ...{ merchantProfile: null, refersToEarlier: true, transactionLinkId: null },
  authentication: 'automatic',
};

/**
 * Returns the terms of a payment at a service. Only an open-loop service gets the scheme's ids of payments that another
 * service made, or that the merchant brought.
 */
export const termsAt = (
  { id, openLoop, merchantProfile, asksProvider }: ServiceSettings,
  stored: Pick<PaymentMethod, 'schemeTransactionServiceId' | 'transactionLinkId'> | null,
  payment: Payment,
): Terms => ({
  merchantProfile: profileAt(merchantProfile, payment.cardNetwork ?? payment.cardScheme),
  refersToEarlier: openLoop || stored?.schemeTransactionServiceId === id,
  transactionLinkId: openLoop ? (stored?.transactionLinkId ?? null) : null,
  authentication: wishOf(payment, asksProvider),
});

type ServiceSettings = Pick<Candidate, 'id' | 'openLoop' | 'merchantProfile'> & {
  /** True if the service asks its provider to authenticate buyers. */
  readonly asksProvider: boolean;
};

type Payment = Pick<Transaction, 'cardScheme' | 'cardNetwork' | 'instrumentType' | 'threeDSecureRequest'>;

/** A wallet or a network token carries an authentication of its own, so the provider's rules decide about more. */
function wishOf({ instrumentType, threeDSecureRequest }: Payment, asksProvider: boolean): AuthenticationWish {
  if (threeDSecureRequest === 'never') return 'never';
  const isCard = instrumentType === 'pan' || instrumentType === 'card_token';
  return isCard && asksProvider ? 'always' : 'automatic';
}

function profileAt(
  profiles: Candidate['merchantProfile'],
  cardScheme: string | null,
): MerchantProfile | null {
  const entry = cardScheme === null ? undefined : profiles?.find(({ scheme }) => scheme === cardScheme);
  if (!entry) return null;
  const { merchantAcquirerBin, merchantAcquirerId, merchantName } = entry;
  const { merchantCountryCode, merchantCategoryCode, merchantUrl } = entry;
  return {
    ...{ merchantAcquirerBin, merchantAcquirerId, merchantName },
    ...{ merchantCountryCode, merchantCategoryCode, merchantUrl },
  };
}

/** Returns the scheme's id of an earlier payment. A scheme does not know the ids of another scheme. */
export const earlierPaymentOf = ({
  scheme,
  schemeTransactionId,
  schemeTransactionIdScheme,
}: PaymentMethod): string | null => (schemeTransactionIdScheme === scheme ? schemeTransactionId : null);
