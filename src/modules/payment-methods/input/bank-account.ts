import { z } from 'zod';
import {
  abaRoutingNumber,
  bic,
  iban,
  sortCode,
  ukAccountNumber,
  usAccountNumber,
} from './bank-account-numbers.ts';
import { bankMandate } from './bank-mandate.ts';
import type { Ask } from './card.ts';
import { text } from '../../../platform/input/text.ts';
import { optional } from '../../../platform/input/values.ts';

/** The holder of an account: a person with both names, or a company. */
const accountHolder = z
  .object({
    firstName: optional(text(1, 255)),
    lastName: optional(text(1, 255)),
    companyName: optional(text(1, 255)),
  })
  .refine(
    ({ firstName, lastName, companyName }) =>
      companyName !== null || (firstName !== null && lastName !== null),
    'Give firstName and lastName, or companyName.',
  );

const none = (field: string, scheme: string) =>
  z
    .null(`Omit ${field}: it does not apply to ${scheme}.`)
    .optional()
    .transform(() => null);

const ach = (ask: Ask) =>
  z.object({
    scheme: z.literal('ach'),
    accountNumber: usAccountNumber,
    routingNumber: abaRoutingNumber,
    accountType: z.enum(['checking', 'savings'], 'Must be given for ACH.'),
    accountHolder,
    mandate: optional(bankMandate(ask)),
  });

const sepa = (ask: Ask) =>
  z.object({
    scheme: z.literal('sepa'),
    accountNumber: iban,
    routingNumber: optional(bic),
    accountType: none('accountType', 'SEPA'),
    accountHolder,
    mandate: optional(bankMandate(ask)),
  });

const bacs = (ask: Ask) =>
  z.object({
    scheme: z.literal('bacs'),
    accountNumber: ukAccountNumber,
    routingNumber: sortCode,
    accountType: none('accountType', 'BACS'),
    accountHolder,
    mandate: optional(bankMandate(ask)),
  });

/** Parses a bank account. The scheme decides the form of the numbers. */
export const bankAccount = (ask: Ask) => z.discriminatedUnion('scheme', [ach(ask), sepa(ask), bacs(ask)]);
