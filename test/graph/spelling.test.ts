import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { buildSchema, isEnumType } from 'graphql';
import { withOutcome } from '../../src/http/pages/return-address.ts';
import { TARGET_SCHEMAS } from '../../src/modules/event-log/target-schemas.ts';
import { lifecycle, type TransactionStatus } from '../../src/modules/transactions/model/transaction.ts';
import { DECLINE_CODES } from '../../src/connectors/codes/decline-codes.ts';
import { SPELLINGS, wordsOf } from '../docs/reference/spelling.ts';

const schema = buildSchema(await readFile('schema/api.graphql', 'utf8'));

function valuesOf(name: string): readonly string[] {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is no enum`);
  return type.getValues().map((value) => value.name);
}

describe('words outside the API', () => {
  it.each(SPELLINGS)('of $field in events about a $events are $enum in lower case', (spelling) => {
    const others = Object.entries(spelling.others ?? {});
    const words = wordsOf(spelling).filter((word) => !others.some(([other]) => other === word));
    const replaced = others.flatMap(([, value]) => value ?? []);

    expect([...words.map((word) => word.toUpperCase()), ...replaced].toSorted()).toEqual(
      valuesOf(spelling.enum).toSorted(),
    );
    expect(wordsOf(spelling)).toEqual(expect.arrayContaining(others.map(([other]) => other)));
  });

  it('of every enum in events are in the documented list', () => {
    const found = Object.entries(TARGET_SCHEMAS).flatMap(([events, { properties }]) =>
      Object.entries(properties as Readonly<Record<string, object>>)
        .filter(([, field]) => 'enum' in field)
        .map(([field]) => `${events} ${field}`),
    );

    expect(found.toSorted()).toEqual(SPELLINGS.map(({ events, field }) => `${events} ${field}`).toSorted());
  });

  it('of a return address are the status in lower case', () => {
    const statuses = Object.keys(lifecycle) as TransactionStatus[];
    const written = statuses.map((status) =>
      new URL(withOutcome('https://shop.example/back', { id: '1', status })).searchParams.get(
        'transaction_status',
      ),
    );

    expect(written.map((status) => status?.toUpperCase()).toSorted()).toEqual(
      valuesOf('TransactionStatus').toSorted(),
    );
    expect(written).toEqual(statuses);
  });

  it('of gift cards are codes of declines in capitals', () => {
    const codes = Object.keys(DECLINE_CODES).map((code) => code.toUpperCase());

    expect(valuesOf('GiftCardErrorCode').filter((code) => !codes.includes(code))).toEqual([]);
  });
});
