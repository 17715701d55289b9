import { ANY_ADDRESS, type BuyerProfile } from '../door.ts';

/** The buyer data that Checkout.com takes. Addresses may lack any part. */
export const checkoutBuyer: BuyerProfile = {
  // A name has 255 characters at most, and joins two of these with a space.
  nameMax: 127,
  address: {
    ...ANY_ADDRESS,
    max: { line: 200, city: 50, state: 50, postalCode: 50 },
  },
};
