import { invalid, type Answer } from './refusals.ts';

type Address = {
  readonly country: string;
  readonly city: string;
  readonly postalCode: string;
  readonly stateOrProvince?: string;
};

/** The buyer data of POST /payments. The description has checked the types, the required parts and the lengths. */
export type BuyerBody = {
  readonly billingAddress?: Address;
  readonly deliveryAddress?: Address;
  readonly shopperEmail?: string;
  readonly shopperStatement?: string;
};

/** Refuses buyer data that the description allows, but Adyen does not take. */
export function buyerFaultOf({
  billingAddress,
  deliveryAddress,
  shopperEmail,
  shopperStatement,
}: BuyerBody): Answer | null {
  for (const address of [billingAddress, deliveryAddress]) {
    const fault = address ? addressFaultOf(address) : null;
    if (fault) return fault;
  }
  if (shopperEmail !== undefined && !/^[\x21-\x7e]+@[\x21-\x7e]+\.[\x21-\x7e]+$/.test(shopperEmail))
    return invalid('702', 'Invalid shopperEmail');
  if (shopperStatement !== undefined && !/^[a-zA-Z0-9 .,'_\-?+*/]*$/.test(shopperStatement))
    return invalid('702', 'Invalid shopperStatement');
  return null;
}

function addressFaultOf({ country, city, postalCode, stateOrProvince }: Address): Answer | null {
  if (!/^[A-Z]{2}$/.test(country)) return invalid('135', 'Billing address problem (Country)');
  if (city === '') return invalid('132', 'Billing address problem (City)');
  const isCode = country === 'US' ? /^\d{1,5}$/.test(postalCode) : /^.{1,10}$/u.test(postalCode);
  if (!isCode) return invalid('131', 'Billing address problem (PostalCode)');
  if (['US', 'CA'].includes(country) && !/^[A-Z]{2}$/.test(stateOrProvince ?? ''))
    return invalid('134', 'Billing address problem (StateOrProvince)');
  return null;
}
