import { z } from 'zod';
import { containsFilter, oneOf, refuseRanges, uuid } from '../../../platform/lists/filters.ts';
import { text } from '../../../platform/input/text.ts';
import { optional } from '../../../platform/input/values.ts';
import { WORDS_MAX, wordsOf } from './search-terms.ts';
import { lifecycle, type PaymentMethodStatus } from './payment-method.ts';

const search = text(1, 320)
  .transform((phrase) => wordsOf(phrase))
  .refine((words) => words.length > 0, 'Must contain a word.')
  .refine((words) => words.length <= WORDS_MAX, `Give at most ${WORDS_MAX} words.`);

/** The words of a search for buyers. A search of spaces has none, and finds every buyer. */
const buyerSearch = text(1, 320)
  .transform((phrase) => wordsOf(phrase))
  .refine((words) => words.length <= WORDS_MAX, `Give at most ${WORDS_MAX} words.`);

const created = { createdAtGte: optional(z.date()), createdAtLte: optional(z.date()) };

/** A filter of payment methods. A payment method must match every given field. Null matches every value. */
export const paymentMethodFilter = z
  .object({
    buyerId: optional(uuid('buyer')),
    buyerExternalIdentifier: optional(text(1, 200)),
    method: oneOf(text(1, 50)),
    status: oneOf(z.enum(Object.keys(lifecycle) as PaymentMethodStatus[])),
    fingerprint: optional(text(1, 200)),
    externalIdentifier: optional(text(1, 200)),
    ...created,
    search: optional(search),
    contains: optional(containsFilter),
  })
  .superRefine(refuseRanges('createdAt'));

export type PaymentMethodFilter = z.output<typeof paymentMethodFilter>;

/** A filter of buyers. A buyer must match every given field. Null matches every value. */
export const buyerFilter = z
  .object({
    externalIdentifier: optional(text(1, 320)),
    ...created,
    search: optional(buyerSearch),
    contains: optional(containsFilter),
  })
  .superRefine(refuseRanges('createdAt'));

export type BuyerFilter = z.output<typeof buyerFilter>;
