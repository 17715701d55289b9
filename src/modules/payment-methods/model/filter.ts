import { z } from 'zod';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/text.ts';
import { optional } from '../../../platform/values.ts';
import { WORDS_MAX, wordsOf } from './search-terms.ts';
import { lifecycle, type PaymentMethodStatus } from './payment-method.ts';

/** Limit for the values of one list in a filter. */
const VALUES_MAX = 50;

/** Refuses an empty list. An empty list could mean "none" or "any" and often comes from a mistake. */
const oneOf = <Schema extends z.ZodType>(schema: Schema) =>
  optional(
    z
      .array(schema)
      .min(1, 'Give at least one value, or leave the filter out.')
      .max(VALUES_MAX, `Give at most ${VALUES_MAX} values.`),
  );

const search = text(1, 320)
  .transform((phrase) => wordsOf(phrase))
  .refine((words) => words.length > 0, 'Must contain a word.')
  .refine((words) => words.length <= WORDS_MAX, `Give at most ${WORDS_MAX} words.`);

/** A filter of payment methods. A payment method must match every given field. Null matches every value. */
export const paymentMethodFilter = z.object({
  buyerId: optional(z.string().refine(isUuid, 'Must be the id of a buyer.')),
  buyerExternalIdentifier: optional(text(1, 200)),
  method: oneOf(text(1, 50)),
  status: oneOf(z.enum(Object.keys(lifecycle) as PaymentMethodStatus[])),
  fingerprint: optional(text(1, 200)),
  externalIdentifier: optional(text(1, 200)),
  search: optional(search),
});

export type PaymentMethodFilter = z.output<typeof paymentMethodFilter>;
