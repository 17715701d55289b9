import { GraphQLIBAN, GraphQLRoutingNumber } from 'graphql-scalars';
import { z } from 'zod';
import { pattern } from '../../../platform/input/values.ts';

// Numbers of bank accounts in inputs. Error messages describe the expected form and never repeat the value.

const withoutSpaces = z.string('Must be given.').transform((text) => text.replaceAll(/[\s-]/g, ''));

/** Wraps the library's check, which throws an error that holds the value. */
const passes = (check: { readonly parseValue: (value: unknown) => unknown }) => (value: string) => {
  try {
    check.parseValue(value);
    return true;
  } catch {
    return false;
  }
};

/** Parses an international bank account number with check digits. Removes spaces and returns upper case. */
export const iban = withoutSpaces
  .transform((text) => text.toUpperCase())
  .refine(passes(GraphQLIBAN), 'Must be an IBAN, such as DE89 3704 0044 0532 0130 00.');

/** Parses a US routing number (ABA) with its check digit. */
export const abaRoutingNumber = withoutSpaces.refine(
  passes(GraphQLRoutingNumber),
  'Must be an ABA routing number: eight digits and a check digit.',
);

/** Parses a US account number. The ACH format has 17 places for the number. */
export const usAccountNumber = withoutSpaces.pipe(pattern(/^\d{4,17}$/, 'Must be 4 to 17 digits.'));

/** Parses a UK sort code, with or without dashes. */
export const sortCode = withoutSpaces.pipe(pattern(/^\d{6}$/, 'Must be a sort code of six digits.'));

/** Parses a UK account number. Shorter numbers need leading zeros. */
export const ukAccountNumber = withoutSpaces.pipe(pattern(/^\d{8}$/, 'Must be eight digits.'));

/** Parses a BIC of 8 or 11 characters (ISO 9362). */
export const bic = withoutSpaces
  .transform((text) => text.toUpperCase())
  .pipe(pattern(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'Must be a BIC of 8 or 11 characters.'));
