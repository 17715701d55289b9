import { z } from 'zod';
import { optional, pattern } from '../../../platform/input/values.ts';
import { isExpired } from '../model/card.ts';

/** Answers a question about the current time. A replay of an old request skips the question and answers yes. */
export type Ask = (question: (now: Date) => boolean) => boolean;

/** Parses MM/YY and refuses a month in the past. */
export const expirationDate = (ask: Ask) =>
  pattern(/^(0[1-9]|1[0-2])\/\d{2}$/, 'Must be in the form MM/YY.').refine(
    (date) => ask((now) => !isExpired(date, now)),
    'The card has expired.',
  );

/** Parses a card number of 13 to 19 digits. Removes spaces. */
export const cardNumber = z
  .string()
  .transform((digits) => digits.replaceAll(' ', ''))
  .pipe(pattern(/^\d{13,19}$/, 'Must be 13 to 19 digits.'));

/** Parses a card to pay with or to store. The security code is checked and never stored. */
export const card = (ask: Ask) =>
  z.object({
    number: cardNumber,
    expirationDate: expirationDate(ask),
    securityCode: optional(pattern(/^\d{3,4}$/, 'Must be 3 or 4 digits.')),
  });
