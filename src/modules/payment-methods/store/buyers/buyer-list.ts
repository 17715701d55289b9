import type { LineOrWhole } from '../../../../platform/database/column-set.ts';
import { one, unique, type ListedTable } from '../../../../platform/lists/list-filters.sql.ts';
import { containing, foundBy, type Searched } from '../../../../platform/lists/search.sql.ts';
import { filtersBy, type SortedPage } from '../../../../platform/lists/sorted-list.sql.ts';
import type { Sorted } from '../../../../platform/lists/sorted-page.sql.ts';
import type { Buyer } from '../../model/buyer.ts';
import type { BuyerFilter } from '../../model/filter.ts';
import { BUYER_COLUMNS } from './buyer-columns.ts';

/** A page of a list of buyers. */
export type BuyerPage = SortedPage & { readonly filter: BuyerFilter };

/** Describes a list of buyers without deleted ones. */
export const buyerList = (account: string, page: BuyerPage, columns: LineOrWhole): Sorted<Buyer> => ({
  ...{ table: TABLE, account, page, columns: BUYER_COLUMNS[columns] },
  filtersOf: (listed) => filtersOf(page.filter, listed),
});

const TABLE: ListedTable = {
  name: 'buyer',
  terms: { name: 'buyer_term', id: 'buyer_id', hasCreation: false },
  hasAmount: false,
  only: 't.deleted_at IS NULL',
};

/** Every text that `termsOf` makes terms from. */
const SEARCHED: Searched = {
  texts: [
    't.external_identifier',
    't.account_number',
    't.display_name',
    `t.billing_details->>'firstName'`,
    `t.billing_details->>'lastName'`,
    `t.billing_details->>'emailAddress'`,
    `t.billing_details->>'phoneNumber'`,
  ],
  wholes: [],
  termOf: (word) => word,
  prefixMin: 1,
};

/** Returns the given filters only. */
const filtersOf = filtersBy<BuyerFilter>({
  externalIdentifier: one(unique('external_identifier')),
  search: (words, listed) => words.map((word) => foundBy(word, listed, SEARCHED)),
  contains: one((text) => containing(text, SEARCHED)),
});
