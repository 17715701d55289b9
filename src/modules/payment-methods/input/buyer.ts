import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { billingDetails, buyer, shippingDetails } from './people.ts';

/** A new buyer. All fields are optional. */
export const createBuyerInput = buyer;

/** A change of a buyer. Omitted fields keep their values, and null clears a field. */
export const updateBuyerInput = z.object({
  displayName: text(1, 200).nullish(),
  externalIdentifier: text(1, 200).nullish(),
  accountNumber: text(1, 200).nullish(),
  billingDetails: billingDetails.nullish(),
});

export type CreateBuyerInput = z.input<typeof createBuyerInput>;
export type UpdateBuyerInput = z.input<typeof updateBuyerInput>;

/** New shipping details, or a replacement of all existing fields. */
export const shippingDetailsInput = shippingDetails;

export type ShippingDetailsInput = z.input<typeof shippingDetailsInput>;
