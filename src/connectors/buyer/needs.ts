import type { DeclineCode } from '../codes/decline-codes.ts';
import type { Impossible } from '../codes/impossible.ts';
import type { PayingBuyer, PostalAddress } from '../interface/requests.ts';
import { hasPostalCodes } from './address.ts';
import type { AddressPart, AddressProfile } from './profile.ts';

/** Data of the buyer without which a provider may refuse a payment method. */
export const BUYER_NEEDS = [
  ...(['billingAddress', 'billingCountry', 'brazilianTaxId', 'email', 'name', 'phone'] as const),
  'shippingAddress',
] as const;
export type BuyerNeed = (typeof BUYER_NEEDS)[number];

/**
 * Returns the refusal of a payment whose buyer lacks data that the payment method needs. Names the first missing data by their
 * path in the input. Null if nothing is missing.
 *
 * A part of an address that equals its filler is missing: nobody gave the part.
 */
export function missingFor(
  needs: readonly BuyerNeed[],
  buyer: PayingBuyer,
  { provider, fillers }: Judge,
): Impossible | null {
  const missing = needs.map((need) => RULES[need]).find(({ isGiven }) => !isGiven(buyer, fillers));
  return missing
    ? {
        errorCode: missing.errorCode,
        sentence: `${provider} needs ${missing.words} for this payment method. Give ${missing.paths}.`,
      }
    : null;
}

type Fillers = AddressProfile['fillers'];

/** The provider that needs the data, and the texts with which its profile fills addresses. */
type Judge = { readonly provider: string; readonly fillers: Fillers };

type Rule = {
  readonly isGiven: (buyer: PayingBuyer, fillers: Fillers) => boolean;
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

const RULES: Readonly<Record<BuyerNeed, Rule>> = {
  billingAddress: {
    isGiven: ({ billingAddress }, fillers) => isPostal(billingAddress, fillers),
    errorCode: 'missing_billing_address',
    words: "the buyer's address",
    paths: 'line1, city, postalCode and country of buyer.billingDetails.address',
  },
  billingCountry: {
    isGiven: ({ billingAddress }, fillers) => hasPart(billingAddress, 'country', fillers),
    errorCode: 'missing_billing_address',
    words: "the buyer's country",
    paths: 'buyer.billingDetails.address.country',
  },
  brazilianTaxId: {
    isGiven: (buyer) => brazilianTaxIdOf(buyer) !== null,
    errorCode: 'missing_tax_identifier',
    words: "the buyer's CPF or CNPJ",
    paths: 'buyer.billingDetails.taxId with a BR_CPF of 11 digits, or a BR_CNPJ of 14 characters',
  },
  email: {
    isGiven: ({ email }) => email !== null,
    errorCode: 'invalid_request_parameters',
    words: "the buyer's email address",
    paths: 'buyer.billingDetails.emailAddress',
  },
  name: {
    isGiven: ({ firstName, lastName }) => firstName !== null && lastName !== null,
    errorCode: 'invalid_request_parameters',
    words: "the buyer's names",
    paths: 'firstName and lastName of buyer.billingDetails',
  },
  phone: {
    isGiven: ({ phone }) => phone !== null,
    errorCode: 'invalid_request_parameters',
    words: "the buyer's phone number",
    paths: 'buyer.billingDetails.phoneNumber',
  },
  shippingAddress: {
    isGiven: ({ shipping }, fillers) =>
      isPostal(shipping?.address, fillers) && (shipping?.firstName ?? shipping?.lastName ?? null) !== null,
    errorCode: 'missing_shipping_address',
    words: 'the name and the address of the receiver',
    paths: 'shippingDetails with a name, and line1, city, postalCode and country of its address',
  },
};

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
