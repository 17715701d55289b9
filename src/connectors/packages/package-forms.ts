import { isRegExp } from 'node:util/types';
import { z } from 'zod';
import { PAYMENT_NEEDS } from '../buyer/needs.ts';
import { noFeatures } from '../interface/definition.ts';
import { hostMistake } from './declared-hosts.ts';

// The forms of what a package exports, with sentences about the mistakes that are easy to make.

const VERBS = ['authorize', 'capture', 'refund', 'void', 'cancel', 'lookup'] as const;

const OPTIONAL_VERBS = [
  ...(['increase', 'reauthorize', 'resume', 'abandon', 'readBooks', 'paymentOf', 'verify'] as const),
  ...(['revokeMandate', 'readStoredMethod', 'googlePay'] as const),
] as const;

const id = z
  .string('must be a text')
  .regex(/^[a-z0-9-]{1,50}$/, 'must have 1 to 50 lower-case letters, digits and hyphens');

const name = z
  .string('must be a text')
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters');

const field = z.object(
  {
    key: z
      .string('must be a text')
      .regex(/^[a-z0-9_]{1,50}$/, 'must have 1 to 50 lower-case letters, digits and underscores'),
    displayName: name,
    required: z.boolean('must be true or false'),
    format: z.enum(
      ['text', 'multiline', 'file', 'number', 'timezone', 'boolean'],
      'must be text, multiline, file, number, timezone or boolean',
    ),
    secret: z.boolean('must be true or false'),
  },
  'must be a field',
);

const fields = z
  .array(field, 'must be a list of fields')
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'must name each key once');

const openFields = fields.refine((all) => all.every(({ secret }) => !secret), 'must have no secret field');

const milliseconds = z.int('must be whole milliseconds').min(1, 'must be whole milliseconds, at least 1');

const features = z
  .record(
    z.string(),
    z.boolean('must be true or false'),
    'must be an object such as { ...noFeatures, refunds: true }',
  )
  .refine(
    (given) => Object.keys(noFeatures).every((feature) => Object.hasOwn(given, feature)),
    'must have every feature. Begin with ...noFeatures',
  )
  .refine(
    (given) => Object.keys(given).every((feature) => Object.hasOwn(noFeatures, feature)),
    'has a feature that this Paygraph does not know',
  );

const codes = (sentence: string, form: RegExp) => z.array(z.string().regex(form, sentence), sentence);

const count = z.int('must be a whole number').min(0, 'must be at least 0');
const texts = z.array(z.string('must be a text'), 'must be a list of texts');
const record = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value, 'must be an object');

/** The profile of the buyer data. */
const buyer = z.object(
  {
    nameMax: count,
    address: z.object(
      {
        ...{ needs: texts, needsIn: record(texts), fillers: record(z.string('must be a text')) },
        houseNumber: z.enum(['own_field', 'in_line_1'], 'must be own_field or in_line_1'),
        stateCodes: texts,
        otherStates: z.enum(['by_name', 'left_out'], 'must be by_name or left_out'),
        postalCodes: record(z.custom((given) => isRegExp(given), 'must be a regular expression')),
        max: z.object({ line: count, city: count, state: count, postalCode: count }, 'must be an object'),
      },
      'must be the profile of an address',
    ),
  },
  'must be the profile of a buyer',
);

export const definition = z.object({
  id,
  displayName: name,
  method: z.string('must be a text'),
  fields,
  reportingFields: openFields,
  supportedCurrencies: codes('must be a list of codes such as EUR', /^[A-Z]{3}$/),
  supportedCountries: codes('must be a list of codes such as DE', /^[A-Z]{2}$/),
  supportedFeatures: features,
  approvalWindow: z
    .object(
      {
        ...{ defaultMs: milliseconds, maxMs: milliseconds, option: z.string().nullable() },
        toldWithinMs: milliseconds.optional(),
      },
      'must be an approval window, or null',
    )
    .refine(({ defaultMs, maxMs }) => defaultMs <= maxMs, 'must have a defaultMs of at most maxMs')
    .nullable(),
  decisionWindowMs: milliseconds,
  deadlineMs: milliseconds.max(60_000, 'must be at most 60000'),
  sandboxOnly: z.boolean('must be true or false'),
  localCurrencies: z
    .record(
      z.string().regex(/^[A-Z]{2}$/, 'must be a country such as DE'),
      z.string().regex(/^[A-Z]{3}$/, 'must be a currency such as EUR'),
      'must be an object with the currency of each country',
    )
    .optional(),
  cardNetworks: z.array(z.string('must be a text'), 'must be a list of networks').optional(),
  buyer: buyer.optional(),
  needs: z
    .array(z.enum(PAYMENT_NEEDS, `must be one of ${PAYMENT_NEEDS.join(', ')}`), 'must be a list of needs')
    .optional(),
});

export const antiFraudDefinition = z.object({
  id,
  displayName: name,
  fields,
  interfaceVersion: name,
  newerInterfaceVersion: name.nullable(),
  sandboxOnly: z.boolean('must be true or false'),
});

const hostList = z.array(
  z.string().superRefine((host, context) => {
    const mistake = hostMistake(host);
    if (mistake !== null) context.addIssue(mistake);
  }),
  'must be a list of hosts such as api.acme.example',
);

const hosts = z.object(
  { production: hostList, sandbox: hostList },
  'must name hosts as { production: [...], sandbox: [...] }',
);

const recovery = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('keys'), windowMs: milliseconds }),
    z.object({ kind: z.literal('lookup'), quiescenceMs: z.int('must be whole milliseconds').min(0) }),
    z.object({ kind: z.literal('none') }),
  ],
  'must be a way to find an unknown outcome, such as { kind: "keys", windowMs: 82800000 }',
);

const recoveries = z.union(
  [
    recovery,
    z.object({
      ...{ authorize: recovery, capture: recovery, refund: recovery, void: recovery, cancel: recovery },
      ...{ increase: recovery.optional(), reauthorize: recovery.optional() },
    }),
  ],
  'must be a way to find an unknown outcome, such as { kind: "keys", windowMs: 82800000 }',
);

const verb = z.custom<(...given: readonly unknown[]) => unknown>(
  (given) => typeof given === 'function',
  'must be a function',
);

const verbs = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((each) => [each, verb]));
const optionalVerbs = (names: readonly string[]) =>
  Object.fromEntries(names.map((each) => [each, verb.optional()]));

/** The parts that a connector may lack. */
const parts = {
  namesCaptures: z.literal(true, 'must be true, or absent').optional(),
  amounts: z
    .record(
      z.string(),
      z.object({ decimals: z.int().min(0).max(5), step: z.int().min(1).optional() }),
      'must have the decimals by currency',
    )
    .optional(),
  webhooks: z
    .object(
      { ...verbs(['verify', 'read']), ...optionalVerbs(['material', 'challenge']) },
      'must have verify and read',
    )
    .optional(),
  giftCards: z
    .object(verbs(['balance', 'redeem', 'unredeem', 'refund']), 'must have the verbs of gift cards')
    .optional(),
  disputes: z.object(optionalVerbs(['submitEvidence', 'accept']), 'must have the responses').optional(),
  settlements: z.object(verbs(['fetch']), 'must have fetch').optional(),
  sessions: z.object(verbs(['open']), 'must have open').optional(),
};

export const connector = z.object(
  {
    ...{ id, recovery: recoveries, hosts },
    definitions: z.array(definition, 'must be a list of definitions').min(1, 'must have a definition'),
    tested: z.array(z.string(), 'must list the features that a test proves'),
    ...{ ...verbs(VERBS), ...optionalVerbs(OPTIONAL_VERBS), ...parts },
  },
  'must be a connector',
);

export const antiFraud = z.object(
  {
    ...{ id, hosts, check: verb, report: verb.optional(), readWebhook: verb },
    definitions: z
      .array(antiFraudDefinition, 'must be a list of definitions')
      .min(1, 'must have a definition'),
  },
  'must be an anti-fraud connector',
);
