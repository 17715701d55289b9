import { z } from 'zod';
import { noFeatures } from '../interface/definition.ts';
import { isDeclarable } from './declared-hosts.ts';

// The forms of what a package exports, with sentences about the mistakes that are easy to make.

const VERBS = ['authorize', 'capture', 'refund', 'void', 'cancel', 'lookup'] as const;

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
      { defaultMs: milliseconds, maxMs: milliseconds, option: z.string().nullable() },
      'must be an approval window, or null',
    )
    .nullable(),
  decisionWindowMs: milliseconds,
  deadlineMs: milliseconds.max(120_000, 'must be at most 120000'),
  sandboxOnly: z.boolean('must be true or false'),
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
  z.string().refine(isDeclarable, 'must be a host such as api.acme.example'),
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

export const connector = z.object(
  {
    ...{ id, recovery: recoveries, hosts },
    definitions: z.array(definition, 'must be a list of definitions').min(1, 'must have a definition'),
    tested: z.array(z.string(), 'must list the features that a test proves'),
    ...Object.fromEntries(VERBS.map((each) => [each, verb])),
  },
  'must be a connector',
);

export const antiFraud = z.object(
  {
    ...{ id, hosts, check: verb, readWebhook: verb },
    definitions: z
      .array(antiFraudDefinition, 'must be a list of definitions')
      .min(1, 'must have a definition'),
  },
  'must be an anti-fraud connector',
);
