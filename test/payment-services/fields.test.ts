import { describe, expect, test } from '@jest/globals';
import type { Definition, DefinitionField } from '../../src/connectors/interface/definition.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';
import {
  changedFieldFailures,
  mergeFields,
  newFieldFailures,
  partFields,
  reportingFailures,
  type GivenFields,
} from '../../src/modules/payment-services/model/fields.ts';

const field = (key: string, rest: Partial<DefinitionField> = {}): DefinitionField => ({
  key,
  displayName: key,
  required: false,
  format: 'text',
  secret: false,
  ...rest,
});

const [mockCard] = sandboxDefinitions;
if (!mockCard) throw new Error('no definition');

const definition: Definition = {
  ...mockCard,
  fields: [
    field('account', { required: true }),
    field('key', { secret: true, required: true }),
    field('region'),
    field('raw_card_data', { format: 'boolean' }),
    field('batch', { format: 'number' }),
  ],
  reportingFields: [field('mailbox', { required: true }), field('folder')],
};

const account = { key: 'account', value: 'a' };
const key = { key: 'key', value: 'k' };

const created = (given: GivenFields) => newFieldFailures(definition, given).map(({ path }) => path.join('.'));
const changed = (given: GivenFields) =>
  changedFieldFailures(definition, given).map(({ path }) => path.join('.'));

test.each([
  ['raw_card_data', 'true', []],
  ['raw_card_data', 'yes', ['input.fields.2.value']],
  ['batch', '17', []],
  ['batch', 'first', ['input.fields.2.value']],
])('the field %s with the value %s has the form that the connector reads', (name, value, expected) => {
  expect(created({ fields: [account, key, { key: name, value }] })).toEqual(expected);
});

describe('fields of a new service', () => {
  test.each<[string, GivenFields, string[]]>([
    ['all required ones', { fields: [account, key] }, []],
    [
      'optional ones too',
      { fields: [key, account, { key: 'region', value: 'eu' }], reportingFields: [] },
      [],
    ],
    ['the longest value', { fields: [account, { key: 'key', value: 'x'.repeat(10_000) }] }, []],
    [
      'a secret in the form of a card number',
      { fields: [account, { key: 'key', value: '4111111111111111' }] },
      [],
    ],
    ['a value of many lines', { fields: [account, { key: 'key', value: '-----BEGIN\n\tkey\r\n' }] }, []],
    [
      'optional reporting ones',
      { fields: [account, key], reportingFields: [{ key: 'folder', value: 'in' }] },
      [],
    ],
  ])('accepts %s', (_name, given, expected) => {
    expect(created(given)).toEqual(expected);
  });

  test.each<[string, GivenFields, string[]]>([
    ['none', { fields: [] }, ['input.fields', 'input.fields']],
    ['a missing secret', { fields: [account] }, ['input.fields']],
    ['an unknown key', { fields: [account, key, { key: 'nope', value: 'x' }] }, ['input.fields.2.key']],
    [
      'an inherited name',
      { fields: [account, key, { key: '__proto__', value: 'x' }] },
      ['input.fields.2.key'],
    ],
    ['a repeated key', { fields: [account, key, account] }, ['input.fields.2.key']],
    ['an empty key', { fields: [account, key, { key: '', value: 'x' }] }, ['input.fields.2.key']],
    [
      'a card number in a field that is shown',
      {
        fields: [{ key: 'account', value: 'for 4111 1111 1111 1111' }, key],
        reportingFields: [{ key: 'folder', value: '4111111111111111' }],
      },
      ['input.fields.0.value', 'input.reportingFields.0.value'],
    ],
    ['an empty value', { fields: [account, { key: 'key', value: '' }] }, ['input.fields.1.value']],
    [
      'too long a value',
      { fields: [account, { key: 'key', value: 'x'.repeat(10_001) }] },
      ['input.fields.1.value'],
    ],
    [
      'a control character',
      { fields: [account, { key: 'key', value: 'a\u0000' }] },
      ['input.fields.1.value'],
    ],
    [
      'half a surrogate pair',
      { fields: [account, { key: 'key', value: '\ud83d' }] },
      ['input.fields.1.value'],
    ],
    [
      'reporting fields alike',
      {
        fields: [account, key],
        reportingFields: [
          { key: 'nope', value: 'x' },
          { key: 'folder', value: '' },
          { key: 'folder', value: 'y' },
        ],
      },
      ['input.reportingFields.0.key', 'input.reportingFields.1.value', 'input.reportingFields.2.key'],
    ],
    [
      'everything at once',
      {
        fields: [
          { key: 'nope', value: '' },
          { key: 'key', value: '' },
        ],
      },
      ['input.fields.0.key', 'input.fields.1.value', 'input.fields'],
    ],
  ])('refuses %s', (_name, given, expected) => {
    expect(created(given)).toEqual(expected);
  });

  test('counts characters, not UTF-16 units', () => {
    expect(created({ fields: [account, { key: 'key', value: '🔑'.repeat(10_000) }] })).toEqual([]);
    expect(created({ fields: [account, { key: 'key', value: '🔑'.repeat(10_001) }] })).toEqual([
      'input.fields.1.value',
    ]);
  });

  test('are checked for their bounds when the definition is unknown', () => {
    const given = {
      fields: [
        { key: 'x'.repeat(50), value: 'x' },
        { key: 'x'.repeat(51), value: 'x' },
        { key: 'y', value: '' },
      ],
    };

    const paths = newFieldFailures(null, given).map(({ path }) => path.join('.'));

    expect(paths).toEqual(['input.fields.1.key', 'input.fields.2.value']);
  });

  test('appear in messages by known keys only, without values or unknown keys', () => {
    const failures = newFieldFailures(definition, { fields: [{ key: 'canary', value: 'canary\u0000' }] });

    expect(failures.map(({ message }) => message)).toEqual([
      'Not a field of the definition, which has account, key, region, raw_card_data, batch.',
      'The definition requires the field account.',
      'The definition requires the field key.',
    ]);
  });
});

describe('fields of an update', () => {
  test.each<[string, GivenFields, string[]]>([
    ['nothing', {}, []],
    ['clearing an optional one', { fields: [{ key: 'region', value: '' }] }, []],
    ['clearing a required one', { fields: [{ key: 'account', value: '' }] }, ['input.fields.0.value']],
    ['clearing a required secret', { fields: [{ key: 'key', value: '' }] }, ['input.fields.0.value']],
    ['clearing an unknown one', { fields: [{ key: 'nope', value: '' }] }, ['input.fields.0.key']],
    ['a repeated key', { fields: [key, { key: 'key', value: '' }] }, ['input.fields.1.key']],
    [
      'too long a value',
      { fields: [{ key: 'region', value: 'x'.repeat(10_001) }] },
      ['input.fields.0.value'],
    ],
    [
      'a required reporting one',
      { reportingFields: [{ key: 'mailbox', value: '' }] },
      ['input.reportingFields.0.value'],
    ],
  ])('%s', (_name, given, expected) => {
    expect(changed(given)).toEqual(expected);
  });

  test('are merged by key, in place, and empty ones are removed', () => {
    const stored = [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
      { key: 'c', value: '3' },
    ];

    const merged = mergeFields(stored, [
      { key: 'd', value: '4' },
      { key: 'b', value: 'two' },
      { key: 'a', value: '' },
      { key: 'e', value: '' },
    ]);

    expect(merged).toEqual([
      { key: 'b', value: 'two' },
      { key: 'c', value: '3' },
      { key: 'd', value: '4' },
    ]);
  });
});

test('required reporting fields are missing only for a service with settlement reports', () => {
  expect(newFieldFailures(definition, { fields: [account, key] })).toEqual([]);
  expect(reportingFailures(definition, [{ key: 'folder', value: 'in' }])).toEqual([
    {
      kind: 'InvalidInput',
      path: ['input', 'reportingFields'],
      message: 'The definition requires the field mailbox.',
    },
  ]);
  expect(reportingFailures(definition, [{ key: 'mailbox', value: 'm' }])).toEqual([]);
});

test('secret fields are separate from those that may be shown', () => {
  expect(partFields(definition, [key, account])).toEqual({ open: [account], secret: [key] });
});
