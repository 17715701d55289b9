import { z } from 'zod';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/input/text.ts';
import { optional, pattern } from '../../../platform/input/values.ts';

/** Parses a gift card number of 16 to 19 digits. Removes spaces. */
const number = z
  .string()
  .transform((digits) => digits.replaceAll(' ', ''))
  .pipe(pattern(/^\d{16,19}$/, 'Must be 16 to 19 digits.'));

const pin = pattern(/^[0-9A-Za-z]{1,20}$/, 'Must be 1 to 20 letters or digits.');

/** Ids are compared in lower case, as in the database. An unknown id gives "not found". */
const id = z.string().transform((given) => given.toLowerCase());

/** A gift card to store, and its buyer. */
export const storeGiftCardInput = z
  .object({
    number,
    pin,
    buyerId: optional(id),
    buyerExternalIdentifier: optional(text(1, 200)),
    paymentServiceId: optional(id),
  })
  .refine(({ buyerId, buyerExternalIdentifier }) => buyerId === null || buyerExternalIdentifier === null, {
    path: ['buyerExternalIdentifier'],
    message: 'Give buyerId or buyerExternalIdentifier, not both.',
  });

export type StoreGiftCardInput = z.input<typeof storeGiftCardInput>;

/** A stored gift card by its id, or another gift card by number and PIN. */
export const giftCardReference = z
  .object({ id: optional(id), number: optional(number), pin: optional(pin) })
  .transform((given, context): GiftCardReference => {
    if (given.id !== null && given.number === null && given.pin === null) {
      if (isUuid(given.id)) return { id: given.id };
      context.addIssue({ code: 'custom', path: ['id'], message: 'Must be the id of a stored gift card.' });
      return z.NEVER;
    }
    if (given.id === null && given.number !== null && given.pin !== null)
      return { number: given.number, pin: given.pin };
    context.addIssue({ code: 'custom', message: 'Give either id, or number and pin.' });
    return z.NEVER;
  });

export type GiftCardReference = { readonly id: string } | { readonly number: string; readonly pin: string };

/** More cards would delay one request for too long. */
export const GIFT_CARDS_MAX = 10;

/** The cards to check. */
export const balancesInput = z.object({
  giftCards: z
    .array(giftCardReference)
    .min(1, 'Give at least one.')
    .max(GIFT_CARDS_MAX, `Give at most ${GIFT_CARDS_MAX}.`),
  paymentServiceId: optional(id),
});

export type BalancesInput = Omit<z.input<typeof balancesInput>, 'giftCards'> & {
  readonly giftCards: readonly z.input<typeof giftCardReference>[];
};
