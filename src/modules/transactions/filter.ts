import { z } from 'zod';
import { isUuid } from '../../platform/ids.ts';
import { text } from '../../platform/text.ts';
import { amount, country, currency, optional, pattern } from '../../platform/values.ts';
import { uuidOf } from '../../kernel/reconciliation-id.ts';
import { lifecycle, type TransactionStatus } from './transaction.ts';

/** Elements of one list in a filter. */
const VALUES_MAX = 50;

/** An empty list is refused: whether it means "none of them" or "any" is a guess, and both happen by mistake. */
const oneOf = <Schema extends z.ZodType>(schema: Schema) =>
  optional(
    z
      .array(schema)
      .min(1, 'Give at least one value, or leave the filter out.')
      .max(VALUES_MAX, `Give at most ${VALUES_MAX} values.`),
  );

const uuid = (what: string) => z.string().refine(isUuid, `Must be the id of a ${what}.`);

const METADATA_MAX = 5;

const metadata = z
  .record(z.string(), text(0, 500))
  .refine((pairs) => Object.keys(pairs).length > 0, 'Give at least one pair, or leave the filter out.')
  .refine((pairs) => Object.keys(pairs).length <= METADATA_MAX, `Give at most ${METADATA_MAX} pairs.`);

const WORDS_MAX = 5;

const search = text(1, 200)
  .transform((phrase) => [...new Set(phrase.split(/\s+/).filter((word) => word !== ''))].map(toWord))
  .refine((words) => words.length > 0, 'Must hold a word.')
  .refine((words) => words.length <= WORDS_MAX, `Must hold at most ${WORDS_MAX} words.`);

/** A word may also be the whole id of a transaction, in either form. */
const toWord = (word: string) => ({ text: word, id: isUuid(word) ? word : uuidOf(word) });

const reconciliationId = z
  .string()
  .transform(uuidOf)
  .refine((id) => id !== null, 'Must be a reconciliation id: 22 letters and digits.');

/** Which transactions to list: those that meet everything that is given. Null means any. */
export const transactionFilter = z
  .object({
    id: optional(uuid('transaction')),
    reconciliationId: optional(reconciliationId),
    status: oneOf(z.enum(Object.keys(lifecycle) as TransactionStatus[])),
    amountEq: optional(amount(0)),
    amountGte: optional(amount(0)),
    amountLte: optional(amount(0)),
    currency: oneOf(currency),
    country: oneOf(country),
    createdAtGte: optional(z.date()),
    createdAtLte: optional(z.date()),
    updatedAtGte: optional(z.date()),
    updatedAtLte: optional(z.date()),
    method: oneOf(text(1, 50)),
    paymentServiceId: oneOf(uuid('payment service')),
    paymentServiceTransactionId: optional(text(1, 300)),
    externalIdentifier: optional(text(1, 200)),
    buyerExternalIdentifier: optional(text(1, 200)),
    buyerEmailAddress: optional(text(1, 320)),
    cardScheme: oneOf(text(1, 50)),
    cardFingerprint: optional(text(1, 200)),
    cardBin: optional(pattern(/^\d{8}$/, 'Must be the first eight digits.')),
    cardLastFour: optional(pattern(/^\d{4}$/, 'Must be the last four digits.')),
    errorCode: oneOf(text(1, 100)),
    hasRefunds: optional(z.boolean()),
    paymentSource: oneOf(z.enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'])),
    merchantInitiated: optional(z.boolean()),
    isSubsequentPayment: optional(z.boolean()),
    metadata: optional(metadata),
    search: optional(search),
  })
  .superRefine((filter, context) => {
    for (const range of RANGES) {
      const [from, to] = [filter[`${range}Gte`], filter[`${range}Lte`]];
      if (from !== null && to !== null && from > to)
        context.addIssue({
          code: 'custom',
          path: [`${range}Gte`],
          message: `Must not be above ${range}Lte.`,
        });
    }
  });

const RANGES = ['amount', 'createdAt', 'updatedAt'] as const;

export type TransactionFilter = z.output<typeof transactionFilter>;
