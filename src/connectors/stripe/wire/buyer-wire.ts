import type { Stripe } from 'stripe';
import {
  fullNameOf,
  type AuthorizeRequest,
  type BankAccount,
  type PayingBuyer,
  type PostalAddress,
} from '../../door.ts';

/** Maps the payer to the billing details of a payment method. Leaves out what the merchant did not give. */
export function billingDetailsOf(
  { firstName, lastName, email, phone, billingAddress }: PayingBuyer,
  holder: string | null = null,
): Stripe.PaymentMethodCreateParams.BillingDetails {
  const name = holder ?? fullNameOf(firstName, lastName);
  return {
    ...(name !== null && { name }),
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(billingAddress && { address: addressOf(billingAddress) }),
  };
}

/** Returns the name of the holder of a bank account. */
export const holderOf = ({ accountHolder }: Pick<BankAccount, 'accountHolder'>): string | null =>
  accountHolder.companyName ?? fullNameOf(accountHolder.firstName, accountHolder.lastName);

function addressOf(address: PostalAddress): Stripe.AddressParam {
  const { line1, line2, city, postalCode, state, country } = address;
  return {
    ...(line1 !== null && { line1 }),
    ...(line2 !== null && { line2 }),
    ...(city !== null && { city }),
    ...(postalCode !== null && { postal_code: postalCode }),
    ...(state !== null && { state }),
    ...(country !== null && { country }),
  };
}

/** Maps the receiver of the goods. Stripe demands a name and an address, so null without both. */
export function shippingOf({
  shipping,
}: AuthorizeRequest['buyer']): Stripe.PaymentIntentCreateParams.Shipping | null {
  const name = shipping && fullNameOf(shipping.firstName, shipping.lastName);
  return shipping?.address && name ? { name, address: addressOf(shipping.address) } : null;
}
