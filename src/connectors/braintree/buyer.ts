import { POSTAL_STATE_CODES, type BuyerProfile } from '../door.ts';

/** The buyer data that Braintree takes. Every part of an address may be missing. */
export const braintreeBuyer: BuyerProfile = {
  nameMax: 255,
  address: {
    needs: [],
    needsIn: {},
    fillers: {},
    houseNumber: 'in_line_1',
    stateCodes: POSTAL_STATE_CODES,
    otherStates: 'by_name',
    postalCodes: {},
    max: { line: 255, city: 255, state: 255, postalCode: 9 },
  },
};
