import { GraphQLIBAN, GraphQLRoutingNumber } from 'graphql-scalars';
import { z } from 'zod';
import { pattern } from '../../../platform/values.ts';

// Numbers of bank accounts in inputs. Messages say what is asked for and never the value.

const withoutSpaces = z.string('Must be given.').transform((text) => text.replaceAll(/[\s-]/g, ''));

/** Its author's check throws, with the value in the message. */
const passes = (check: { readonly parseValue: (value: unknown) => unknown }) => (value: string) => {
  try {
    check.parseValue(value);
    return true;
  } catch {
    return false;
  }
};

/** An international bank account number of a known country with its check digits; spaces are dropped, letters made upper case. */
export const iban = withoutSpaces
  .transform((text) => text.toUpperCase())
  .refine(passes(GraphQLIBAN), 'Must be an IBAN, such as DE89 3704 0044 0532 0130 00.');

/** A US routing number (ABA) with its check digit. */
export const abaRoutingNumber = withoutSpaces.refine(
  passes(GraphQLRoutingNumber),
  'Must be an ABA routing number: nine digits, of which the last is the check digit.',
);

/** An account number in the US: the ACH format leaves 17 places for it. */
export const usAccountNumber = withoutSpaces.pipe(pattern(/^\d{4,17}$/, 'Must be 4 to 17 digits.'));

/** A UK sort code, with or without dashes. */
export const sortCode = withoutSpaces.pipe(pattern(/^\d{6}$/, 'Must be a sort code of six digits.'));

/** An account number in the UK, where shorter ones are filled up with zeros. */
export const ukAccountNumber = withoutSpaces.pipe(pattern(/^\d{8}$/, 'Must be eight digits.'));

/** A BIC of 8 or 11 characters (ISO 9362). */
export const bic = withoutSpaces
  .transform((text) => text.toUpperCase())
  .pipe(pattern(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'Must be a BIC of 8 or 11 characters.'));
