import { z } from 'zod';
import { EVERY_DECLINE_CODE, usuallyGoesOn } from '../../../connectors/codes/decline-codes.ts';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/input/text.ts';
import { amount, country, currency, optional, pattern, wholeNumber } from '../../../platform/input/values.ts';
import { CARD_SCHEMES } from '../../payment-services/index.ts';
import { numbersOf } from '../model/bin-ranges.ts';
import { FLAG_FACTS, FORMER_OUTCOMES, TEXT_FACTS } from '../model/facts.ts';
import { ALTERNATIVES_MAX } from '../model/limits.ts';
import { DAYS, type Question } from '../model/rule.ts';
import { list } from './list.ts';
import { serviceId } from './service-id.ts';

const bounds = <Schema extends z.ZodType<number>>(value: Schema) => ({
  min: optional(value),
  max: optional(value),
});

const BOUNDS = {
  check: ({ min, max }: { readonly min: number | null; readonly max: number | null }): boolean =>
    min === null ? max !== null : max === null || min <= max,
  message: 'Give min, max, or both, and min not above max.',
};

const bin = pattern(/^\d{6,8}$/, 'Must be 6 to 8 digits.');

const binRange = z.object({ from: bin, to: bin }).refine(
  (range) => {
    const [from, to] = numbersOf(range);
    return from <= to;
  },
  { path: ['to'], message: 'Must not be below from.' },
);

const time = pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 09:30.');

const endTime = z.union([z.literal('24:00'), time], 'Must be a time such as 17:30, or 24:00.');

const localTime = z.object({
  zone: z
    .string()
    .max(100)
    .refine(isZone, 'Must be a time zone of the IANA database, such as Europe/Berlin.'),
  days: z.array(z.enum(DAYS)).min(1, 'Give at least one day.').max(DAYS.length),
  from: time,
  to: endTime,
});

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A question as given: with its own values, or with the id of a value set. */
export type GivenQuestion = Question | SharedQuestion;

/** A question whose values are in a value set. */
type SharedQuestion = { readonly valueSetId: string } & (
  | { readonly fact: 'country' | 'bin' }
  | { readonly fact: 'metadata'; readonly name: string }
);

export type GivenTest = { readonly not: boolean } & GivenQuestion;

export type GivenCondition =
  | GivenTest
  | { readonly fact: 'anyOf'; readonly not: boolean; readonly tests: readonly GivenTest[] };

const valueSetId = z.string().refine(isUuid, 'Must be the id of a value set.').toLowerCase();

const count = optional(z.object(bounds(wholeNumber(1, 100))).refine(BOUNDS.check, BOUNDS.message));

const formerCode = z.enum(
  EVERY_DECLINE_CODE.filter(usuallyGoesOn),
  'Must be a code that allows another attempt.',
);

const facts = z.object({
  amount: optional(z.object({ currency, ...bounds(amount(0)) }).refine(BOUNDS.check, BOUNDS.message)),
  currency: optional(list(currency)),
  country: optional(list(country)),
  countryIn: optional(valueSetId),
  method: optional(list(pattern(/^[a-z][a-z0-9_-]{0,49}$/, 'Must be a method such as card or paypal.'))),
  instrument: optional(
    list(
      z.enum([
        'pan',
        'applepay',
        'googlepay',
        'network_token',
        'card_token',
        'bank',
        'redirect',
        'redirect_token',
      ]),
    ),
  ),
  scheme: optional(list(z.enum(CARD_SCHEMES))),
  bin: optional(list(binRange)),
  binIn: optional(valueSetId),
  paymentSource: optional(list(z.enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file']))),
  threeDSecureRequest: optional(list(z.enum(['always', 'never', 'automatic']))),
  merchantInitiated: optional(z.boolean()),
  isSubsequentPayment: optional(z.boolean()),
  isStored: optional(z.boolean()),
  stores: optional(z.boolean()),
  hasGiftCards: optional(z.boolean()),
  hasThreeDSecureData: optional(z.boolean()),
  installmentCount: count,
  attempt: count,
  formerOutcome: optional(list(z.enum(FORMER_OUTCOMES))),
  formerErrorCode: optional(list(formerCode)),
  formerService: optional(list(serviceId)),
  metadata: optional(z.object({ name: text(1, 100), values: optional(list(text(0, 500))) })),
  metadataIn: optional(z.object({ name: text(1, 100), valueSetId })),
  externalIdentifier: optional(z.object({ prefixes: list(text(1, 200)) })),
  localTime: optional(localTime),
});

/** The question in the one field that is given. */
const question = facts.transform((given, context): GivenQuestion => {
  const [first, ...others] = questionsIn(given);
  if (first && others.length === 0) return first;
  context.addIssue({ code: 'custom', message: 'Give exactly one fact.' });
  return z.NEVER;
});

type Facts = z.output<typeof facts>;

function questionsIn(given: Facts): readonly GivenQuestion[] {
  const {
    amount: amounts,
    installmentCount,
    attempt,
    bin: ranges,
    metadata,
    externalIdentifier,
    localTime: hours,
  } = given;
  return [
    ...TEXT_FACTS.flatMap((fact) => (given[fact] ? [{ fact, values: given[fact] }] : [])),
    ...FLAG_FACTS.flatMap((fact) => (given[fact] === null ? [] : [{ fact, is: given[fact] }])),
    ...(amounts ? [{ fact: 'amount' as const, ...amounts }] : []),
    ...(installmentCount ? [{ fact: 'installmentCount' as const, ...installmentCount }] : []),
    ...(attempt ? [{ fact: 'attempt' as const, ...attempt }] : []),
    ...(ranges ? [{ fact: 'bin' as const, ranges }] : []),
    ...(metadata ? [{ fact: 'metadata' as const, ...metadata }] : []),
    ...(externalIdentifier ? [{ fact: 'externalIdentifier' as const, ...externalIdentifier }] : []),
    ...(given.countryIn ? [{ fact: 'country' as const, valueSetId: given.countryIn }] : []),
    ...(given.binIn ? [{ fact: 'bin' as const, valueSetId: given.binIn }] : []),
    ...(given.metadataIn ? [{ fact: 'metadata' as const, ...given.metadataIn }] : []),
    ...(hours ? [{ fact: 'localTime' as const, ...hours }] : []),
  ];
}

const not = z.boolean().default(false);

const test = z
  .object({ not, fact: question })
  .transform(({ not: inverted, fact }): GivenTest => ({ not: inverted, ...fact }));

/** A condition of a rule: one fact, or several tests of which one must hold. */
export const condition = z
  .object({
    not,
    fact: optional(question),
    anyOf: optional(
      z
        .array(test)
        .min(2, 'Give at least two tests.')
        .max(ALTERNATIVES_MAX, `Give at most ${ALTERNATIVES_MAX} tests.`),
    ),
  })
  .transform(({ not: inverted, fact, anyOf }, context): GivenCondition => {
    if (fact && !anyOf) return { not: inverted, ...fact };
    if (anyOf && !fact) return { not: inverted, fact: 'anyOf', tests: anyOf };
    context.addIssue({ code: 'custom', message: 'Give fact or anyOf, not both.' });
    return z.NEVER;
  });
