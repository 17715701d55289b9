import { z } from 'zod';
import { text } from '../../../platform/text.ts';
import { billingDetails, buyer, shippingDetails } from './people.ts';

/** What a new buyer may be; everything may be left out. */
export const createBuyerInput = buyer;

/** What can be changed: left out stays, null clears. */
export const updateBuyerInput = z.object({
  displayName: text(1, 200).nullish(),
  externalIdentifier: text(1, 200).nullish(),
  accountNumber: text(1, 200).nullish(),
  billingDetails: billingDetails.nullish(),
});

export type CreateBuyerInput = z.input<typeof createBuyerInput>;
export type UpdateBuyerInput = z.input<typeof updateBuyerInput>;

/** What new shipping details may be, and what an update may put in place of all of them. */
export const shippingDetailsInput = shippingDetails;

export type ShippingDetailsInput = z.input<typeof shippingDetailsInput>;
