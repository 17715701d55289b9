import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { CHANGES, READS } from '../../../src/connectors/braintree/documents.ts';

const SCHEMA = buildSchema(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'));

const { dispute, ...reads } = READS;

it.each(Object.entries({ ...CHANGES, ...reads }))(
  'the document of %s is valid, and has this root field alone',
  (name, text) => {
    const document = parse(text);
    const [operation] = document.definitions;

    expect(validate(SCHEMA, document)).toEqual([]);
    expect(operation).toMatchObject({ selectionSet: { selections: [{ name: { value: name } }] } });
  },
);

it('the document of a dispute is valid', () => {
  expect(validate(SCHEMA, parse(dispute))).toEqual([]);
});

it('the documents that change something are mutations', () => {
  for (const text of Object.values(CHANGES))
    expect(parse(text).definitions).toMatchObject([{ operation: 'mutation' }]);
});
