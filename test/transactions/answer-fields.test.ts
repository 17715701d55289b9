import { expect, it } from '@jest/globals';
import { ANSWER_FIELDS } from '../../src/modules/transactions/rows/answer.ts';
import { readPrepared } from '../statements/prepared.ts';

/** The mark of a dispute serves the filters of lists. No answer shows it. */
const UNSEEN = ['disputed'];

/** The attempts of a payment change its decision and its circuits, and all of them precede the outcome. */
const SETTLED_BEFORE = ['routing', 'circuits'];

const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the columns of payments that a statement sets. */
const setBy = (statement: string): readonly string[] =>
  [...statement.matchAll(/UPDATE transaction(?: \w+)? SET ([\s\S]*?)\b(?:FROM|WHERE)\b/g)].flatMap(
    ([, set = '']) =>
      [...set.matchAll(/(?:^|, ?\s*)([a-z_0-9]+) = /g)].map(([, column = '']) => camel(column)),
  );

it('keeps every field of a payment that a statement changes with the answer to a key', async () => {
  const changed = [...(await readPrepared()).values()].flatMap(setBy);
  const kept: readonly string[] = [...ANSWER_FIELDS, ...UNSEEN, ...SETTLED_BEFORE];

  expect(new Set(changed).size).toBeGreaterThan(30);
  expect([...new Set(changed)].filter((field) => !kept.includes(field))).toEqual([]);
});
