import type { Part } from '../database/built-statement.ts';
import { ended, indexOf, type Listed, type Filter, type IndexScan } from './list-filters.sql.ts';

/** The texts of a table's row `t` that a search looks through. */
export type Searched = {
  /** The texts whose words are terms. A part of a word behind a punctuation mark is a term, too. */
  readonly texts: readonly string[];
  /** The texts that are one term each. */
  readonly wholes: readonly string[];
  /** Returns the term of a word. */
  readonly termOf: (word: string) => string;
  /** A shorter word must match a whole term, because one or two letters begin half of all terms. */
  readonly prefixMin: number;
};

/** Another way in which a word finds a row. */
export type OtherMatch = {
  /** A query of `id`, which ends as that of an index scan. */
  readonly entries: IndexScan['entries'];
  /** The condition on a row `t`. */
  readonly where: Part;
};

/**
 * Finds rows by one word of a search. The word's entries in the indexes lead to the rows. Terms that begin with the word come in
 * no order of the list.
 */
export function foundBy(
  text: string,
  { account, table: { terms } }: Listed,
  { texts, wholes, termOf, prefixMin }: Searched,
  others: readonly OtherMatch[] = [],
): Filter {
  const isWhole = Array.from(text).length < prefixMin;
  const matches = isWhole ? isSame : beginsWith;
  const byTerm: OtherMatch = {
    entries: (value, end) => `SELECT x.${terms.id} AS id FROM ${terms.name} x
      WHERE x.merchant_account_id = ${value(account)}::text AND ${matches('x.term', termOf(`${value(text)}::text`))}
      ${ended(indexOf(terms), end)}`,
    where: (value) => {
      const found = [
        `lower(concat_ws(' ', ${texts.join(', ')})) ~ lower(${value(patternOf(text, isWhole))}::text)`,
        ...wholes.map((whole) => `starts_with(lower(${whole}), lower(${value(text)}::text))`),
      ];
      return `(${found.join(' OR ')})`;
    },
  };
  const every = [byTerm, ...others];
  return {
    where: (value) => [`(${every.map(({ where }) => where(value)).join(' OR ')})`],
    index: {
      entries: (value, end) => every.map(({ entries }) => `(${entries(value, end)})`).join(' UNION ALL '),
      ordered: false,
      exact: true,
      selective: true,
      ofRows: false,
    },
    isCovered: false,
  };
}

/**
 * Finds rows with a text anywhere in one of the searched texts, in upper or lower case. No index leads to them. So the list
 * scans the rows of its other filters.
 */
export const containing = (text: string, { texts, wholes }: Searched): Filter => ({
  where: (value) => [
    // No text has the separator, so a match lies within one text.
    `strpos(lower(concat_ws(chr(31), ${[...texts, ...wholes].join(', ')})), lower(${value(text)}::text)) > 0`,
  ],
  index: null,
  isCovered: false,
});

/** Finds a row by its id as a word. */
export const byId = (id: string, { account, table }: Listed): OtherMatch => ({
  entries: (value) => `SELECT t.id FROM ${table.name} t
    WHERE t.merchant_account_id = ${value(account)}::text AND t.id = ${value(id)}::uuid`,
  where: (value) => `t.id = ${value(id)}::uuid`,
});

/**
 * Returns a regular expression for texts in which the word begins a term. A term begins behind a space, and behind a
 * punctuation mark if it begins with another sign.
 */
function patternOf(word: string, isWhole: boolean): string {
  const escaped = word.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
  const before = PUNCTUATION.test(word) ? String.raw`\s` : String.raw`[\s!-/:-@[-\`{-~]`;
  return `(^|${before})${escaped}${isWhole ? String.raw`(\s|$)` : ''}`;
}

const PUNCTUATION = /^[!-/:-@[-`{-~]/;

type Matches = (column: string, text: string) => string;

const isSame: Matches = (column, text) => `${column} = ${text}`;

/** Matches a prefix by a range, which an index sorted by code point answers. Nothing sorts behind the last code point. */
export const beginsWith: Matches = (column, text) =>
  `${column} >= ${text} AND ${column} < ${text} || chr(1114111)`;
