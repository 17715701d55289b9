import { createHash } from 'node:crypto';
import { passesLuhn } from '../../kernel/account-numbers/card-number.ts';
import { AMOUNT_MAX, type Money } from '../../kernel/money.ts';
import { isStorable } from './words.ts';

/** True for an amount that can be booked: 1 to the greatest amount, in a currency. */
export const isBookable = ({ amount, currency }: Money): boolean =>
  Number.isInteger(amount) && amount >= 1 && amount <= AMOUNT_MAX && /^[A-Z]{3}$/.test(currency);

/** Returns a provider's id of an event, or a digest if the id cannot be stored or shown. */
export const storableKey = (eventKey: string): string =>
  isStorable(eventKey) && withoutCardNumbers(eventKey) === eventKey ? eventKey : digestOf(eventKey);

/** Removes every possible card number. The card of a webhook is not known here, so the Luhn check decides. */
export const withoutCardNumbers = (text: string): string =>
  text.replace(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, (digits) =>
    passesLuhn(digits.replace(/\D/g, '')) ? '…' : digits,
  );

/** Returns a digest that stands for a text. */
export const digestOf = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('base64url')}`;
