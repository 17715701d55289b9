import type { DeclineCode } from '../codes/decline-codes.ts';
import type { Impossible } from '../codes/impossible.ts';
import type { Order } from '../interface/order.ts';
import type { PayingBuyer, PostalAddress } from '../interface/requests.ts';
import { hasPostalCodes } from './address.ts';
import type { AddressPart, AddressProfile } from './profile.ts';

/** Data without which a provider may refuse a payment method. `name` is the first or the last name. */
export const PAYMENT_NEEDS = [
  ...(['billingAddress', 'billingCountry', 'brazilianTaxId', 'cartItems', 'email'] as const),
  ...(['firstName', 'lastName', 'name', 'phone', 'shippingAddress'] as const),
] as const;
export type PaymentNeed = (typeof PAYMENT_NEEDS)[number];

/** The data of a payment that a method may need. */
export type NeededData = {
  readonly buyer: PayingBuyer;
  /** Null without an order. The lines and the totals make the amount of the payment. */
  readonly order: Pick<Order, 'lines' | 'totals'> | null;
};

type Fillers = AddressProfile['fillers'];

/**
 * Lists the needs for which a payment has no data. A part of an address that equals its filler is missing: nobody gave the
 * part.
 */
export const missingNeeds = (
  needs: readonly PaymentNeed[],
  data: NeededData,
  fillers: Fillers,
): readonly PaymentNeed[] => needs.filter((need) => !RULES[need].isGiven(data, fillers));

/** The provider that needs the data, and the texts with which its profile fills addresses. */
export type Judge = { readonly provider: string; readonly fillers: Fillers };

/**
 * Returns the refusal of a payment that lacks data which the payment method needs. Names all missing data by their path in the
 * input. Null if nothing is missing.
 */
export function missingFor(
  needs: readonly PaymentNeed[],
  data: NeededData,
  { provider, fillers }: Judge,
): Impossible | null {
  const missing = missingNeeds(needs, data, fillers).map((need) => RULES[need]);
  const [first] = missing;
  if (!first) return null;
  const [words, paths] = [LIST.format(missing.map((each) => each.words)), missing.map((each) => each.paths)];
  return {
    errorCode: first.errorCode,
    sentence: `${provider} needs ${words} for this payment method. Give ${paths.join('; ')}.`,
  };
}

const LIST = new Intl.ListFormat('en-GB');

type Rule = {
  readonly isGiven: (data: NeededData, fillers: Fillers) => boolean;
  readonly errorCode: DeclineCode;
  readonly words: string;
  readonly paths: string;
};

const hasPart = (address: PostalAddress | null | undefined, part: AddressPart, fillers: Fillers): boolean => {
  const text = address?.[part] ?? null;
  return text !== null && text !== fillers[part];
};

/** Tells whether a postman finds an address. Some countries have no postal codes. */
const isPostal = (address: PostalAddress | null | undefined, fillers: Fillers): boolean =>
  (['line1', 'city', 'country'] as const).every((part) => hasPart(address, part, fillers)) &&
  (hasPart(address, 'postalCode', fillers) || !hasPostalCodes(address?.country ?? null));

const RULES: Readonly<Record<PaymentNeed, Rule>> = {
  billingAddress: {
    isGiven: ({ buyer }, fillers) => isPostal(buyer.billingAddress, fillers),
    errorCode: 'missing_billing_address',
    words: "the buyer's address",
    paths: 'line1, city, postalCode and country of buyer.billingDetails.address',
  },
  billingCountry: {
    isGiven: ({ buyer }, fillers) => hasPart(buyer.billingAddress, 'country', fillers),
    errorCode: 'missing_billing_address',
    words: "the buyer's country",
    paths: 'buyer.billingDetails.address.country',
  },
  brazilianTaxId: {
    isGiven: ({ buyer }) => brazilianTaxIdOf(buyer) !== null,
    errorCode: 'missing_tax_identifier',
    words: "the buyer's CPF or CNPJ",
    paths: 'buyer.billingDetails.taxId with a BR_CPF of 11 digits, or a BR_CNPJ of 14 characters',
  },
  cartItems: {
    isGiven: ({ order }) => order?.totals != null && order.lines.length > 0,
    errorCode: 'invalid_request_parameters',
    words: 'the lines of the cart',
    paths: 'cartItems that make the amount, and no gift card',
  },
  email: given('email', "the buyer's email address", 'emailAddress'),
  firstName: given('firstName', "the buyer's first name", 'firstName'),
  lastName: given('lastName', "the buyer's last name", 'lastName'),
  name: {
    isGiven: ({ buyer }) => buyer.firstName !== null || buyer.lastName !== null,
    errorCode: 'invalid_request_parameters',
    words: "the buyer's name",
    paths: 'firstName or lastName of buyer.billingDetails',
  },
  phone: given('phone', "the buyer's phone number", 'phoneNumber'),
  shippingAddress: {
    isGiven: ({ buyer: { shipping } }, fillers) =>
      isPostal(shipping?.address, fillers) && (shipping?.firstName ?? shipping?.lastName ?? null) !== null,
    errorCode: 'missing_shipping_address',
    words: 'the name and the address of the receiver',
    paths: 'shippingDetails with a name, and line1, city, postalCode and country of its address',
  },
};

/** A need of one text about the buyer. */
function given(field: 'email' | 'firstName' | 'lastName' | 'phone', words: string, path: string): Rule {
  return {
    isGiven: ({ buyer }) => buyer[field] !== null,
    errorCode: 'invalid_request_parameters',
    words,
    paths: `buyer.billingDetails.${path}`,
  };
}

/**
 * Returns a buyer's CPF, or the CNPJ of a company, without punctuation. Null for a number of another length. A CNPJ may have
 * letters before its two check digits.
 */
export function brazilianTaxIdOf({ taxId }: Pick<PayingBuyer, 'taxId'>): string | null {
  const form = taxId ? BRAZILIAN_FORMS[taxId.kind] : undefined;
  const number = taxId?.value.replaceAll(/[\s./-]/g, '').toUpperCase() ?? '';
  return form?.test(number) ? number : null;
}

const BRAZILIAN_FORMS: Readonly<Record<string, RegExp>> = {
  br_cpf: /^\d{11}$/,
  br_cnpj: /^[0-9A-Z]{12}\d{2}$/,
};
