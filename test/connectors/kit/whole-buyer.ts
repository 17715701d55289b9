import type { PayingBuyer } from '../../../src/connectors/interface/requests.ts';

/** Makes a buyer in a country, with all data that a payment method may need. */
export function buyerIn(country: string): PayingBuyer {
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  const address = {
    ...{ line1: 'High Street', houseNumberOrName: '5', line2: null, city: 'Springfield' },
    ...{ postalCode: '10115', state: STATES[country] ?? null, stateCode: null, country, organization: null },
  };
  return {
    ...{ reference: null, ...names, email: 'ada@example.com', phone: '+447911123456' },
    billingAddress: address,
    taxId: { value: '52998224725', kind: 'br_cpf' },
    shipping: { ...names, address },
  };
}

/** The states of the countries whose addresses need one. */
const STATES: Readonly<Record<string, string>> = { CA: 'ON', US: 'NY' };
