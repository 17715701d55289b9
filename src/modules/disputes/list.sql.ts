import type { PageRequest } from '../../kernel/page.ts';
import type { Part } from '../../platform/database/built-statement.ts';
import type { Db } from '../../platform/database/db.ts';
import { given, readIdPage } from '../../platform/lists/id-page.sql.ts';
import { between, equal, isOneOf } from '../../platform/lists/list-filters.sql.ts';
import type { Dispute } from './dispute.ts';
import type { DisputeFilter } from './filter.ts';
import { DISPUTE_COLUMNS } from './store.ts';

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export const readDisputePage = (
  db: Db,
  account: string,
  page: PageRequest,
  filter: DisputeFilter,
): Promise<readonly Dispute[]> =>
  readIdPage(
    db,
    { table: 'dispute', account, columns: DISPUTE_COLUMNS, conditions: conditionsOf(filter) },
    page,
  );

/** Returns the conditions of the given filters only. */
const conditionsOf = (filter: DisputeFilter): readonly Part<readonly string[]>[] => [
  ...(['stage', 'status', 'reason', 'currency'] as const).flatMap((column) =>
    given<readonly string[]>(filter[column], (values) => isOneOf(column, 'text', values)),
  ),
  ...given(filter.paymentServiceId, (ids) => isOneOf('payment_service_id', 'uuid', ids)),
  ...given(filter.transactionId, (id) => equal('transaction_id', 'uuid', id)),
  ...given(filter.paymentServiceDisputeId, (reference) => equal('provider_reference', 'text', reference)),
  ...between('respond_by', 'timestamptz', { from: filter.respondByGte, to: filter.respondByLte }),
  ...between('created_at', 'timestamptz', { from: filter.createdAtGte, to: filter.createdAtLte }),
];
