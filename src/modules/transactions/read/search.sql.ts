import { ended, type Listed, type Filter } from '../../../platform/lists/list-filters.sql.ts';
import {
  beginsWith,
  byId,
  foundBy,
  type OtherMatch,
  type Searched,
} from '../../../platform/lists/search.sql.ts';
import type { TransactionFilter } from './filter.ts';

type Word = NonNullable<TransactionFilter['search']>[number];

/** Every text that `transaction_terms` makes terms of a search from. */
export const SEARCHED: Searched = {
  texts: [
    't.external_identifier',
    't.card_last_four',
    `t.buyer->>'externalIdentifier'`,
    `t.buyer->>'displayName'`,
    `t.buyer->'billingDetails'->>'firstName'`,
    `t.buyer->'billingDetails'->>'lastName'`,
    `t.buyer->'billingDetails'->>'emailAddress'`,
  ],
  wholes: [],
  termOf: (word) => `search_term(${word})`,
  prefixMin: 3,
};

/** Finds transactions by one word of a search. The word may also be an id, or begin the provider's id. */
export const foundByWord = ({ text, id }: Word, listed: Listed): Filter =>
  foundBy(text, listed, SEARCHED, [byProviderId(text, listed), ...(id === null ? [] : [byId(id, listed)])]);

/** Finds transactions by the provider's id. A short word must match the whole id. */
function byProviderId(text: string, { account }: Listed): OtherMatch {
  const column = 't.payment_service_transaction_id COLLATE "C"';
  const isWhole = Array.from(text).length < SEARCHED.prefixMin;
  const matches = (word: string): string => (isWhole ? `${column} = ${word}` : beginsWith(column, word));
  return {
    entries: (value, end) => `SELECT t.id FROM transaction t
      WHERE t.merchant_account_id = ${value(account)}::text AND ${matches(`${value(text)}::text`)} ${ended([column], end)}`,
    where: (value) => `(${matches(`${value(text)}::text`)})`,
  };
}
