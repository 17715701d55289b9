import { z } from 'zod';
import { uuidOf } from '../../kernel/reconciliation-id.ts';
import { isUuid } from '../ids.ts';
import { text } from '../input/text.ts';
import { amount, country, currency, optional } from '../input/values.ts';

// Schemas for the filters of lists.

/** The most elements of one list in a filter. */
const VALUES_MAX = 50;

/** Refuses an empty list. An empty list could mean "none" or "any", and often comes from a mistake. */
export const oneOf = <Schema extends z.ZodType>(schema: Schema) =>
  optional(
    z
      .array(schema)
      .min(1, 'Give at least one value, or leave the filter out.')
      .max(VALUES_MAX, `Give at most ${VALUES_MAX} values.`),
  );

/** Returns the schema of a record's id. */
export const uuid = (what: string) => z.string().refine(isUuid, `Must be the id of a ${what}.`);

/** The fields of amounts and times of a payment or a payment link. Use them with `refuseRanges`. */
export const moneyAndTimes = {
  amountEq: optional(amount(0)),
  amountGte: optional(amount(0)),
  amountLte: optional(amount(0)),
  currency: oneOf(currency),
  country: oneOf(country),
  createdAtGte: optional(z.date()),
  createdAtLte: optional(z.date()),
  updatedAtGte: optional(z.date()),
  updatedAtLte: optional(z.date()),
};

const METADATA_MAX = 5;

/** The metadata pairs that a record must all have. */
export const metadataFilter = z
  .record(z.string(), text(0, 500))
  .refine((pairs) => Object.keys(pairs).length > 0, 'Give at least one pair, or leave the filter out.')
  .refine((pairs) => Object.keys(pairs).length <= METADATA_MAX, `Give at most ${METADATA_MAX} pairs.`);

const WORDS_MAX = 5;

/** The words that must all be found. */
export const searchFilter = text(1, 200)
  .transform((phrase) => [...new Set(phrase.split(/\s+/).filter((word) => word !== ''))].map(toWord))
  .refine((words) => words.length > 0, 'Must contain a word.')
  .refine((words) => words.length <= WORDS_MAX, `Must contain at most ${WORDS_MAX} words.`);

/** Parses a word. A word may also be the whole id of a record, in either form. */
const toWord = (word: string) => ({ text: word, id: isUuid(word) ? word : uuidOf(word) });

/** The text that must occur anywhere in a searched text. */
export const containsFilter = text(1, 200);

type Ranges<Name extends string> = {
  readonly [Bound in `${Name}Gte` | `${Name}Lte`]: number | Date | null;
};

/**
 * Refuses a range whose start is above its end, for each of the names. The name `amount` means amountGte and amountLte.
 */
export const refuseRanges =
  <Name extends string>(...names: readonly Name[]) =>
  (filter: Ranges<Name>, context: z.RefinementCtx): void => {
    for (const name of names) {
      const [from, to] = [filter[`${name}Gte`], filter[`${name}Lte`]];
      if (from !== null && to !== null && from > to)
        context.addIssue({ code: 'custom', path: [`${name}Gte`], message: `Must not be above ${name}Lte.` });
    }
  };
