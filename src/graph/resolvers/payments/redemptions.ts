import { refundableTo } from '../../../modules/transactions/index.ts';
import type { Resolvers } from '../../generated/transactions.ts';

/** The resolvers of a gift card's share of a payment. */
export const redemptionResolvers: Pick<Resolvers, 'GiftCardRedemption'> = {
  GiftCardRedemption: {
    refundable: (redemption) => ({ amount: refundableTo(redemption), currency: redemption.currency }),
    giftCard: ({ giftCardId }) => (giftCardId === null ? null : { id: giftCardId }),
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    paymentServiceRedemptionId: ({ providerReference }) => providerReference,
    rawErrorCode: ({ rawResponseCode }) => rawResponseCode,
    rawErrorMessage: ({ rawResponseDescription }) => rawResponseDescription,
  },
};
