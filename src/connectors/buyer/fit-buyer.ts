import type { PayingBuyer } from '../interface/requests.ts';
import { fitAddress } from './address.ts';
import { fitEmail, fitPhone } from './contact.ts';
import { cutText } from './cut-text.ts';
import type { BuyerProfile } from './profile.ts';

/**
 * Makes buyer data regular for a provider. Data that the provider would refuse is cut or left out, because no payment should
 * fail for it. The same data always gives the same result, so a repeat is equal to the first request.
 *
 * - An email address has an ASCII domain. Null if its form is wrong.
 * - A phone number exists in the numbering plan of its country. Null otherwise.
 * - A state is in the provider's form, and its code is known where the name is.
 * - An address has every part that the provider demands. Only its country is left otherwise.
 */
export function fitBuyer(buyer: PayingBuyer, { nameMax, address }: BuyerProfile): PayingBuyer {
  const name = (text: string | null) => cutText(text, nameMax);
  const { shipping } = buyer;
  return {
    reference: buyer.reference,
    firstName: name(buyer.firstName),
    lastName: name(buyer.lastName),
    email: fitEmail(buyer.email),
    phone: fitPhone(buyer.phone),
    billingAddress: fitAddress(buyer.billingAddress, address),
    taxId: buyer.taxId,
    shipping: shipping && {
      firstName: name(shipping.firstName),
      lastName: name(shipping.lastName),
      address: fitAddress(shipping.address, address),
    },
  };
}
