import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import {
  byValue,
  isOneOf,
  one,
  unique,
  type Listed,
  type ListedTable,
  type Filter,
} from '../../../platform/lists/list-filters.sql.ts';
import { containing, foundBy, type Searched } from '../../../platform/lists/search.sql.ts';
import { filtersBy, type SortedPage } from '../../../platform/lists/sorted-list.sql.ts';
import type { Sorted } from '../../../platform/lists/sorted-page.sql.ts';
import type { PaymentMethodFilter } from '../model/filter.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { PAYMENT_METHOD_COLUMNS } from './payment-method-columns.ts';

/** Conditions of a list of payment methods. Null matches every value. The buyer is given by id. */
export type PaymentMethodConditions = Omit<PaymentMethodFilter, 'buyerExternalIdentifier'>;

/** A page of a list of payment methods. */
export type PaymentMethodPage = SortedPage & { readonly filter: PaymentMethodConditions };

/** Describes a list of payment methods without deleted ones. */
export const paymentMethodList = (
  account: string,
  page: PaymentMethodPage,
  columns: LineOrWhole,
): Sorted<PaymentMethod> => ({
  ...{ table: TABLE, account, page, columns: PAYMENT_METHOD_COLUMNS[columns] },
  filtersOf: (listed) => filtersOf(page.filter, listed),
});

const TABLE: ListedTable = {
  name: 'payment_method',
  terms: { name: 'payment_method_term', id: 'payment_method_id', hasCreation: false },
  hasAmount: false,
  only: 't.deleted_at IS NULL',
};

/** A column with an index of its own, and in the index of the order of creation, too. */
const coveredToo = (column: 'method' | 'status') =>
  one((values: readonly string[], listed: Listed): Filter => {
    const where = isOneOf(column, 'text', values);
    return { where, index: byValue(column, 'text', values, listed), isCovered: true };
  });

/** Every text that `paymentMethodTerms` makes terms from. */
const SEARCHED: Searched = {
  texts: ['t.external_identifier'],
  wholes: ['t.last_four', 't.bin', 't.scheme', 't.method', 't.bank_scheme'],
  termOf: (word) => word,
  prefixMin: 1,
};

/** Returns the given filters only. */
const filtersOf = filtersBy<PaymentMethodConditions>({
  buyerId: one(unique('buyer_id', 'uuid', 'id')),
  method: coveredToo('method'),
  status: coveredToo('status'),
  fingerprint: one(unique('fingerprint', 'text', 'id')),
  externalIdentifier: one(unique('external_identifier', 'text', 'id')),
  search: (words, listed) => words.map((word) => foundBy(word, listed, SEARCHED)),
  contains: one((text) => containing(text, SEARCHED)),
});
