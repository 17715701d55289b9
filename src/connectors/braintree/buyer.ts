import { ANY_ADDRESS, type BuyerProfile } from '../door.ts';

/** The buyer data that Braintree takes. Every part of an address may be missing. */
export const braintreeBuyer: BuyerProfile = {
  nameMax: 255,
  address: {
    ...ANY_ADDRESS,
    max: { line: 255, city: 255, state: 255, postalCode: 9 },
  },
};
