import type { PageRequest } from '../../kernel/page.ts';
import type { Part } from '../../platform/database/built-statement.ts';
import type { Db } from '../../platform/database/db.ts';
import { given, readIdPage } from '../../platform/lists/id-page.sql.ts';
import { between, equal, isOneOf } from '../../platform/lists/list-filters.sql.ts';
import { SETTLEMENT_COLUMNS } from './find.sql.ts';
import type { DifferenceFilter, PayoutFilter, SettlementFilter } from './filter.ts';
import type { Settlement } from './settlement.ts';
import { toSettlement } from './store.ts';

type Condition = Part<readonly string[]>;

/** Reads a page of entries and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export const readSettlementPage = (
  db: Db,
  account: string,
  page: PageRequest,
  filter: SettlementFilter,
): Promise<readonly Settlement[]> =>
  readPage(db, account, page, [
    ...commonOf(filter),
    ...given<readonly string[]>(filter.kind, (kinds) => isOneOf('kind', 'text', kinds)),
    ...given(filter.transactionId, (id) => equal('transaction_id', 'uuid', id)),
    ...given(filter.paymentServiceSettlementId, (reference) => equal('reference', 'text', reference)),
    ...given(filter.paymentServicePayoutId, (reference) => equal('payout_reference', 'text', reference)),
  ]);

/** Reads a page of payouts and one row more. */
export const readPayoutPage = (
  db: Db,
  account: string,
  page: PageRequest,
  filter: PayoutFilter,
): Promise<readonly Settlement[]> =>
  readPage(db, account, page, [equal('kind', 'text', 'payout'), ...commonOf(filter)]);

/** Reads a page of differences and one row more. */
export const readDifferencePage = (
  db: Db,
  account: string,
  page: PageRequest,
  filter: DifferenceFilter,
): Promise<readonly Settlement[]> =>
  readPage(db, account, page, [
    filter.reason === null
      ? () => ['t.difference IS NOT NULL']
      : isOneOf('difference', 'text', filter.reason),
    ...commonOf(filter),
    ...given(filter.explained, (explained) => () => [
      explained ? 't.explained_at IS NOT NULL' : 't.explained_at IS NULL',
    ]),
  ]);

async function readPage(
  db: Db,
  account: string,
  page: PageRequest,
  conditions: readonly Condition[],
): Promise<readonly Settlement[]> {
  const list = { table: 'settlement', account, columns: SETTLEMENT_COLUMNS, conditions };
  return (await readIdPage(db, list, page)).map(toSettlement);
}

const commonOf = (filter: PayoutFilter): readonly Condition[] => [
  ...given(filter.paymentServiceId, (ids) => isOneOf('payment_service_id', 'uuid', ids)),
  ...given(filter.currency, (currencies) => isOneOf('currency', 'text', currencies)),
  ...between('settled_on', 'date', { from: dayOf(filter.settledOnGte), to: dayOf(filter.settledOnLte) }),
];

/** Returns the day that begins at a moment. */
const dayOf = (moment: Date | null): string | null => moment && moment.toISOString().slice(0, 10);
