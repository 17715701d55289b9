import { z } from 'zod';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/text.ts';
import { optional, pattern } from '../../../platform/values.ts';

/** 16 to 19 digits, of which spaces are dropped. */
const number = z
  .string()
  .transform((digits) => digits.replaceAll(' ', ''))
  .pipe(pattern(/^\d{16,19}$/, 'Must be 16 to 19 digits.'));

const pin = pattern(/^[0-9A-Za-z]{1,20}$/, 'Must be 1 to 20 letters or digits.');

/** An id that names nothing is not found, and none is kept in other letters than the database's. */
const id = z.string().transform((given) => given.toLowerCase());

/** Which gift card is to be kept, and for whom. */
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

/** A gift card by its id when it is stored, by number and PIN when it is not. */
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

/** More would hold one request up for too long. */
export const GIFT_CARDS_MAX = 10;

/** The cards whose balance is asked for. */
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
