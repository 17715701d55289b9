import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { TAX_ID_KINDS } from '../model/people.ts';
import { country, optional, pattern, phoneNumber } from '../../../platform/input/values.ts';

// Names, addresses and contact data in inputs, with their limits.

const address = z.object({
  city: optional(text(1, 100)),
  country: optional(country),
  postalCode: optional(text(1, 50)),
  state: optional(text(1, 255)),
  stateCode: optional(pattern(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'Must be an ISO 3166-2 code such as US-CA.')),
  houseNumberOrName: optional(text(1, 255)),
  line1: optional(text(1, 255)),
  line2: optional(text(1, 255)),
  organization: optional(text(1, 255)),
});

/** Name and address of the receiver. */
export const shippingDetails = z.object({
  firstName: optional(text(1, 255)),
  lastName: optional(text(1, 255)),
  emailAddress: optional(text(1, 320)),
  phoneNumber: optional(phoneNumber),
  address: optional(address),
});

const taxId = z.object({ value: text(1, 50), kind: z.enum(TAX_ID_KINDS) });

/** Name of the payer, with the address of the card or account. */
export const billingDetails = shippingDetails.extend({ taxId: optional(taxId) });

/** The details of a buyer, for a stored buyer or for one payment. */
export const buyer = z.object({
  displayName: optional(text(1, 200)),
  externalIdentifier: optional(text(1, 200)),
  accountNumber: optional(text(1, 200)),
  billingDetails: optional(billingDetails),
});
