import { z } from 'zod';
import { optional, pattern } from '../../../platform/values.ts';
import { isExpired } from '../card.ts';

/** Asks something of the present moment, or does not ask. */
export type Ask = (question: (now: Date) => boolean) => boolean;

/** MM/YY, not in the past. */
export const expirationDate = (ask: Ask) =>
  pattern(/^(0[1-9]|1[0-2])\/\d{2}$/, 'Must be in the form MM/YY.').refine(
    (date) => ask((now) => !isExpired(date, now)),
    'The card has expired.',
  );

/** 13 to 19 digits, of which spaces are dropped. */
export const cardNumber = z
  .string()
  .transform((digits) => digits.replaceAll(' ', ''))
  .pipe(pattern(/^\d{13,19}$/, 'Must be 13 to 19 digits.'));

/** A card as it is given for a payment, or to be kept. The security code is checked, and never kept. */
export const card = (ask: Ask) =>
  z.object({
    number: cardNumber,
    expirationDate: expirationDate(ask),
    securityCode: optional(pattern(/^\d{3,4}$/, 'Must be 3 or 4 digits.')),
  });
