import type { BuyerProfile } from '../door.ts';

/** Adyen's own word for a part of an address that nobody collected. */
const NOT_COLLECTED = 'N/A';

/** Adyen's own word for an unknown country. */
export const UNKNOWN_COUNTRY = 'ZZ';

/** The buyer data that Adyen takes. Adyen refuses an address without one of its parts. */
export const adyenBuyer: BuyerProfile = {
  nameMax: 80,
  address: {
    needs: ['line1', 'houseNumberOrName', 'city', 'postalCode', 'country'],
    needsIn: { CA: ['state'], US: ['state', 'postalCode'] },
    fillers: {
      houseNumberOrName: NOT_COLLECTED,
      city: NOT_COLLECTED,
      postalCode: NOT_COLLECTED,
      country: UNKNOWN_COUNTRY,
    },
    houseNumber: 'own_field',
    stateCodes: ['CA', 'US'],
    otherStates: 'left_out',
    // Five digits at most. The four after them name a part of the district.
    postalCodes: { US: /^\d{5}(?=$|-)/ },
    max: { line: 3000, city: 3000, state: 1000, postalCode: 10 },
  },
};
