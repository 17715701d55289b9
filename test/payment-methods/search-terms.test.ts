import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { partsOf } from '../../src/modules/payment-methods/model/search-terms.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it.each([
  ['order-2026-0017', ['order-2026-0017', '2026-0017', '0017']],
  ['jane.doe@navy.example', ['jane.doe@navy.example', 'doe@navy.example', 'navy.example', 'example']],
  ['+4670 (doe)', ['+4670', '4670', '(doe)', 'doe)']],
  ["o'brien -- x", ["o'brien", 'brien', '--', 'x']],
  ['ærlig_øst', ['ærlig_øst', 'øst']],
  ['a.b.c.d.e.f.g.h.i.j.k.l', Array.from({ length: 10 }, (_, at) => 'a.b.c.d.e.f.g.h.i.j.k.l'.slice(2 * at))],
  ['', []],
  ['\u{1F4B3}-\u{1F4B3}', ['\u{1F4B3}-\u{1F4B3}', '\u{1F4B3}']],
])(
  'the parts of "%s" begin behind its signs of punctuation, here and in the database',
  async (text, parts) => {
    const [row] = await query<{ parts: string[] }>(
      database.url,
      `SELECT ARRAY(SELECT part FROM search_parts($1) AS part WHERE part <> '') AS parts`,
      [text],
    );

    expect(partsOf(text)).toEqual(parts);
    expect(row?.parts).toEqual(parts);
  },
);
