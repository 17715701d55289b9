import type { TransactionFilter } from '../model/filter.ts';
import type { Building } from './statement-building.ts';

type Word = NonNullable<TransactionFilter['search']>[number];

/** A shorter word must match a whole term, because one or two letters begin half of all terms. */
const PREFIX_MIN = 3;

/**
 * Returns a query of (created_at, id) for one word of a search. The query reads only the word's entries in two
 * indexes and sorts them. No row of transaction is read.
 */
export function foundBy({ text, id }: Word, building: Building): string {
  const { value, order } = building;
  const word = `${value(text)}::text`;
  const matches = Array.from(text).length < PREFIX_MIN ? isSame : beginsWith;
  const found = [
    withTerm(matches, `search_term(${word})`, building),
    inTransactions(matches('t.payment_service_transaction_id COLLATE "C"', word), building),
    ...(id === null ? [] : [inTransactions(`t.id = ${value(id)}::uuid`, building)]),
  ];
  return `${found.join(' UNION ')} ${order}`;
}

/** Returns a query of (created_at, id) of the rows with a term. The key sorts a single term's rows by creation. */
export function withTerm(matches: Matches, term: string, { account, bounds }: Building): string {
  const bound = bounds('x.created_at', 'x.transaction_id');
  const all = [`x.merchant_account_id = ${account}`, matches('x.term', term), ...bound];
  return `SELECT x.created_at, x.transaction_id AS id FROM transaction_term x WHERE ${all.join(' AND ')}`;
}

function inTransactions(condition: string, { account, bounds }: Building): string {
  const all = [`t.merchant_account_id = ${account}`, condition, ...bounds('t.created_at', 't.id')];
  return `SELECT t.created_at, t.id FROM transaction t WHERE ${all.join(' AND ')}`;
}

type Matches = (column: string, text: string) => string;

export const isSame: Matches = (column, text) => `${column} = ${text}`;

/** Matches a prefix by a range, which an index sorted by code point answers. Nothing sorts behind the last code point. */
const beginsWith: Matches = (column, text) => `${column} >= ${text} AND ${column} < ${text} || chr(1114111)`;
