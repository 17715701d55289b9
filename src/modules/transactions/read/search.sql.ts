import type { Filter, Part } from '../../../platform/bounded-list.sql.ts';
import type { TransactionFilter } from '../model/filter.ts';

type Word = NonNullable<TransactionFilter['search']>[number];

/** A shorter word must match a whole term, because one or two letters begin half of all terms. */
const PREFIX_MIN = 3;

/**
 * Finds transactions by one word of a search. The word's entries in two indexes lead to the rows. Terms that begin with the
 * word come in no order of the list.
 */
export function foundBy({ text, id }: Word, account: string): Filter {
  const isWhole = Array.from(text).length < PREFIX_MIN;
  const matches = isWhole ? isSame : beginsWith;
  const entries: Part = (value) => {
    const owned = (alias: string): string => `${alias}.merchant_account_id = ${value(account)}::text`;
    const word = `${value(text)}::text`;
    const found = [
      `SELECT x.transaction_id AS id FROM transaction_term x
        WHERE ${owned('x')} AND ${matches('x.term', `search_term(${word})`)}`,
      `SELECT t.id FROM transaction t
        WHERE ${owned('t')} AND ${matches('t.payment_service_transaction_id COLLATE "C"', word)}`,
      ...(id === null
        ? []
        : [`SELECT t.id FROM transaction t WHERE ${owned('t')} AND t.id = ${value(id)}::uuid`]),
    ];
    return `SELECT id FROM (${found.join(' UNION ALL ')}) found`;
  };
  const where: Part<readonly string[]> = (value) => {
    const word = `${value(text)}::text`;
    const found = [
      `(${SEARCHED} ~ lower(${value(patternOf(text, isWhole))}::text))`,
      matches('t.payment_service_transaction_id COLLATE "C"', word),
      ...(id === null ? [] : [`t.id = ${value(id)}::uuid`]),
    ];
    return [`(${found.join(' OR ')})`];
  };
  return { where, lead: { entries, ordered: false, exact: true }, covered: null };
}

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

/** Every text that `transaction_terms` makes terms of a search from. */
const SEARCHED = `lower(concat_ws(' ', t.external_identifier, t.card_last_four, t.buyer->>'externalIdentifier',
  t.buyer->>'displayName', t.buyer->'billingDetails'->>'firstName', t.buyer->'billingDetails'->>'lastName',
  t.buyer->'billingDetails'->>'emailAddress'))`;

type Matches = (column: string, text: string) => string;

const isSame: Matches = (column, text) => `${column} = ${text}`;

/** Matches a prefix by a range, which an index sorted by code point answers. Nothing sorts behind the last code point. */
const beginsWith: Matches = (column, text) => `${column} >= ${text} AND ${column} < ${text} || chr(1114111)`;
