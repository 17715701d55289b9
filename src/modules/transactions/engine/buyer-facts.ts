import type { AuthorizeRequest } from '../../../connectors/interface/requests.ts';
import type { Transaction } from '../model/transaction.ts';

type Facts = Pick<Transaction, 'buyer' | 'buyerId' | 'shippingDetails' | 'ipAddress' | 'browserInfo'>;

/** Returns the facts about the buyer in an authorisation. They never change after the payment's creation. */
export const buyerFacts = ({
  buyer,
  buyerId,
  shippingDetails,
  ipAddress,
  browserInfo,
}: Facts): Pick<AuthorizeRequest, 'buyer' | 'ipAddress' | 'browserInfo'> => ({
  buyer: {
    reference: buyerId ?? buyer?.externalIdentifier ?? null,
    firstName: buyer?.billingDetails?.firstName ?? null,
    lastName: buyer?.billingDetails?.lastName ?? null,
    email: buyer?.billingDetails?.emailAddress ?? null,
    phone: buyer?.billingDetails?.phoneNumber ?? null,
    billingAddress: buyer?.billingDetails?.address ?? null,
    taxId: buyer?.billingDetails?.taxId ?? null,
    shipping: shippingDetails && {
      firstName: shippingDetails.firstName,
      lastName: shippingDetails.lastName,
      address: shippingDetails.address,
    },
  },
  ipAddress,
  browserInfo,
});
