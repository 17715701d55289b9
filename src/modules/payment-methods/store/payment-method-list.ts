import type { LineOrWhole } from '../../../platform/column-set.ts';
import {
  byValue,
  isOneOf,
  unique,
  type Listed,
  type ListedTable,
  type Filter,
} from '../../../platform/list-filters.sql.ts';
import { containing, foundBy, type Searched } from '../../../platform/search.sql.ts';
import type { SortedPage } from '../../../platform/sorted-list.sql.ts';
import type { Sorted } from '../../../platform/sorted-page.sql.ts';
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
  only: 't.deleted_at IS NULL',
};

function filtersOf(
  { buyerId, method, status, fingerprint, externalIdentifier, search, contains }: PaymentMethodConditions,
  listed: Listed,
): readonly Filter[] {
  return [
    ...(buyerId === null ? [] : [unique('buyer_id', 'uuid', 'id')(buyerId, listed)]),
    ...(method === null ? [] : [coveredToo('method', method, listed)]),
    ...(status === null ? [] : [coveredToo('status', status, listed)]),
    ...(fingerprint === null ? [] : [unique('fingerprint', 'text', 'id')(fingerprint, listed)]),
    ...(externalIdentifier === null
      ? []
      : [unique('external_identifier', 'text', 'id')(externalIdentifier, listed)]),
    ...(search ?? []).map((word) => foundBy(word, listed, SEARCHED)),
    ...(contains === null ? [] : [containing(contains, SEARCHED)]),
  ];
}

/** A column with an index of its own, and in the index of the order of creation, too. */
function coveredToo(column: 'method' | 'status', values: readonly string[], listed: Listed): Filter {
  const where = isOneOf(column, 'text', values);
  return { where, lead: byValue(column, 'text', values, listed), covered: [column] };
}

/** Every text that `paymentMethodTerms` makes terms from. */
const SEARCHED: Searched = {
  texts: ['t.external_identifier'],
  wholes: ['t.last_four', 't.bin', 't.scheme', 't.method', 't.bank_scheme'],
  termOf: (word) => word,
  prefixMin: 1,
};
