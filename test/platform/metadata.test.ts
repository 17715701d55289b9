import { describe, expect, it } from '@jest/globals';
import { jsonbText, metadata, type Metadata } from '../../src/platform/input/metadata.ts';
import { createTestDatabase, query } from '../support/database.ts';

const deep = (levels: number): Metadata => (levels === 1 ? {} : { in: deep(levels - 1) });

const names = (count: number): Metadata =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, at]));

/** The longest text in an object of 32 KiB. */
const LONGEST = 'x'.repeat(32 * 1024 - '{"a":""}'.length);

describe('metadata', () => {
  it.each<[string, Metadata]>([
    ['nothing', {}],
    ['every kind of value', { a: ['b', 1.5, -2, true, null, { c: [] }], d: 'line\n\tline', e: 2 ** 53 - 1 }],
    ['10 levels', deep(10)],
    ['50 names', names(50)],
    ['a name of 100 characters', { ['😀'.repeat(100)]: 'a' }],
    ['32 KiB', { a: LONGEST }],
    ['a number of an order', { order: 411_111_111_111 }],
  ])('takes %s as given', (_, given) => {
    expect(metadata.parse(given)).toEqual(given);
  });

  it.each<[string, unknown, RegExp]>([
    ['a list', [], /an object/],
    ['a text', 'a', /an object/],
    ['11 levels', deep(11), /at most 10 levels/],
    ['51 names', names(51), /at most 50 names/],
    ['an empty name', { a: [{ '': 1 }] }, /1 to 100 characters/],
    ['a name of 101 characters', { ['a'.repeat(101)]: 1 }, /1 to 100 characters/],
    ['more than 32 KiB', { a: `${LONGEST}x` }, /at most 32 KiB/],
    ['a control character', { a: ['\u0000'] }, /control characters/],
    ['half a surrogate pair', { a: '\ud800' }, /surrogate pair/],
    ['a rounded number', { a: 2 ** 53 }, /within 2\^53/],
    ['a card number', { a: [{ b: 4_111_111_111_111_111 }] }, /card number/],
  ])('refuses %s', (_, given, message) => {
    const parsed = metadata.safeParse(given);

    expect(parsed.error?.issues).toMatchObject([{ path: [], message: expect.stringMatching(message) }]);
  });
});

describe('the text of metadata in events', () => {
  it('is the text of jsonb', async () => {
    const given: Metadata = {
      ...{ long: [1.5e-7, -2.25e-10, 1e-7, 0.5, 2 ** 53 - 1, -3], b: { é: [], a: {}, '"': 'x\n"\\' } },
      ...{ a: null, '😀': true, '': 'empty' },
    };
    const database = await createTestDatabase();
    const sql = `SELECT '${JSON.stringify(given)}'::jsonb::text AS text`;
    const [row] = await query<{ text: string }>(database.url, sql);
    await database.drop();

    expect(jsonbText(given)).toBe(row?.text);
  });
});
