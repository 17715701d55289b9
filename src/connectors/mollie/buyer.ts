import type { BuyerProfile } from '../door.ts';

/** The buyer data that Mollie takes. An address needs a street, a postal code, a city and a country. */
export const mollieBuyer: BuyerProfile = {
  nameMax: 100,
  address: {
    needs: ['line1', 'city', 'postalCode', 'country'],
    needsIn: {},
    fillers: {},
    houseNumber: 'in_line_1',
    stateCodes: [],
    otherStates: 'by_name',
    postalCodes: {},
    max: { line: 100, city: 100, state: 100, postalCode: 20 },
  },
};
