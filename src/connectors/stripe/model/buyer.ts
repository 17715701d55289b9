import { ANY_ADDRESS, type BuyerProfile } from '../../door.ts';

/** The buyer data that Stripe takes. Addresses may lack any part. */
export const stripeBuyer: BuyerProfile = {
  // A name at Stripe has 256 characters at most, and joins two of these with a space.
  nameMax: 127,
  address: {
    ...ANY_ADDRESS,
    max: { line: 500, city: 500, state: 500, postalCode: 500 },
  },
};
