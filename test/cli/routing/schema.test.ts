import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../../src/cli/routing/file.ts';
import { describeFile } from '../../../src/cli/routing/schema.ts';
import { RULES_MAX, SERVICES_MAX } from '../../../src/modules/routing/model/limits.ts';

const check = new Ajv2020({ strict: false, formats: { int32: true } }).compile(describeFile());

const examplesOf = (page: string): readonly Json[] =>
  [...readFileSync(`src/docs/guides/${page}.md`, 'utf8').matchAll(/^```json\n([\s\S]*?)^```/gm)].map(
    ([, text = '']) => JSON.parse(text) as Json,
  );

const ORDER = { order: { paymentServices: ['Cards of Europe'] } };

const fileOf = (rule: Json, more: Json = {}): Json => ({
  ruleSet: 'Cards',
  rules: [{ name: 'All', action: ORDER, ...rule }],
  ...more,
});

describe('the description of a file', () => {
  it('accepts each example of the guides', () => {
    const inputs = examplesOf('routing-rules').map((input) => ({ ruleSet: 'Cards', ...input }));
    const files = examplesOf('routing-files');

    expect([inputs.length, files.length]).toEqual([8, 1]);
    for (const file of [...inputs, ...files]) expect([check(file), check.errors]).toEqual([true, null]);
  });

  it.each([
    ['names of services', fileOf({})],
    ['ids of services', fileOf({ action: { order: { paymentServiceIds: ['0190'] } } })],
    [
      'names of value sets',
      fileOf({
        conditions: [
          { fact: { countryIn: 'Nordics' } },
          { not: true, fact: { metadataIn: { name: 'shop', valueSet: 'Shops' } } },
        ],
      }),
    ],
    ['a name of the former service', fileOf({ conditions: [{ fact: { formerService: ['Service 1'] } }] })],
    [
      'names of compared services and their prices',
      fileOf({
        action: {
          byCost: {
            paymentServices: ['A', 'B'],
            table: [{ paymentService: 'A', percentage: '1.25', fixed: { amount: 5, currency: 'EUR' } }],
          },
        },
      }),
    ],
    ['lists', fileOf({}, { valueSets: [{ name: 'Nordics', kind: 'COUNTRY', values: ['DK'] }] })],
    [
      'an id of a list',
      fileOf({}, { valueSets: [{ id: '0190', name: 'Nordics', kind: 'COUNTRY', values: ['DK'] }] }),
    ],
    ['its own place', fileOf({}, { $schema: './routing.schema.json' })],
  ])('accepts %s', (_, file) => {
    expect([check(file), check.errors]).toEqual([true, null]);
  });

  it.each([
    ['no rule set', { rules: [{ name: 'All', action: ORDER }] }],
    ['no rules', { ruleSet: 'Cards', rules: [] }],
    ['an unknown member', fileOf({}, { rule: [] })],
    ['a rule without an action', { ruleSet: 'Cards', rules: [{ name: 'All' }] }],
    ['two actions', fileOf({ action: { ...ORDER, positions: true } })],
    ['two facts', fileOf({ conditions: [{ fact: { isStored: true, currency: ['EUR'] } }] })],
    ['an unknown fact', fileOf({ conditions: [{ fact: { weather: ['rain'] } }] })],
    ['another spelling of a scheme', fileOf({ conditions: [{ fact: { scheme: ['visa'] } }] })],
    ['a country in small letters', fileOf({ conditions: [{ fact: { country: ['de'] } }] })],
    [
      'names and ids of services together',
      fileOf({ action: { order: { paymentServices: ['A'], paymentServiceIds: ['0190'] } } }),
    ],
    [
      'a price without a service',
      fileOf({ action: { byCost: { paymentServices: ['A', 'B'], table: [{ percentage: '1' }] } } }),
    ],
    [
      'a share for trying above a half',
      fileOf({ action: { bySuccess: { paymentServices: ['A', 'B'], keepShare: 51 } } }),
    ],
    ['an order without services', fileOf({ action: { order: {} } })],
    [
      'too many services',
      fileOf({ action: { order: { paymentServices: Array.from({ length: SERVICES_MAX + 1 }, String) } } }),
    ],
    [
      'too many rules',
      {
        ruleSet: 'Cards',
        rules: Array.from({ length: RULES_MAX + 1 }, (_, name) => ({ name: `${name}`, action: ORDER })),
      },
    ],
  ])('refuses %s', (_, file) => {
    expect(check(file)).toBe(false);
  });
});
