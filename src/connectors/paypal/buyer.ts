import { ANY_ADDRESS, type BuyerProfile } from '../door.ts';

/** The buyer data that PayPal takes. PayPal refuses an order whose country needs a postal code that the address lacks. */
export const paypalBuyer: BuyerProfile = {
  // A full name has 300 characters at most, and joins two of these with a space.
  nameMax: 140,
  address: {
    ...ANY_ADDRESS,
    needs: ['line1', 'city', 'postalCode', 'country'],
    postalCodes: { US: /^\d{5}(-\d{4})?$/ },
    max: { line: 300, city: 120, state: 300, postalCode: 60 },
  },
};
