import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import type { ListedTable } from '../../../platform/lists/list-filters.sql.ts';
import type { SortedPage } from '../../../platform/lists/sorted-list.sql.ts';
import type { Sorted } from '../../../platform/lists/sorted-page.sql.ts';
import type { PaymentLinkFilter } from '../filter.ts';
import type { PaymentLink } from '../payment-link.ts';
import { LINK_COLUMNS } from './columns.ts';
import { filtersOf } from './filters.ts';

/** A page of a list of payment links, which begins behind `position`. */
export type LinkPage = SortedPage & { readonly filter: PaymentLinkFilter };

/** Describes a list of payment links. */
export const linkList = (account: string, page: LinkPage, columns: LineOrWhole): Sorted<PaymentLink> => ({
  ...{ table: TABLE, account, page, columns: LINK_COLUMNS[columns] },
  filtersOf: (listed) => filtersOf(page.filter, listed),
});

const TABLE: ListedTable = {
  name: 'payment_link',
  terms: { name: 'payment_link_term', id: 'payment_link_id', hasCreation: false },
  hasAmount: true,
  only: null,
};
