import type { PageRequest } from '../../kernel/page.ts';
import type { Db } from '../../platform/db.ts';
import type { Prisma } from '../../platform/generated/prisma/client.ts';
import type { DifferenceFilter, PayoutFilter, SettlementFilter } from './filter.ts';
import type { Settlement } from './settlement.ts';
import { toSettlement } from './store.ts';

type Condition = Prisma.SettlementWhereInput;

/** Reads a page of entries and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export const readSettlementPage = (
  db: Db,
  merchantAccountId: string,
  page: PageRequest,
  filter: SettlementFilter,
): Promise<readonly Settlement[]> =>
  readPage(db, merchantAccountId, page, [
    ...commonOf(filter),
    ...oneOf(filter.kind, (kind) => ({ kind: { in: [...kind] } })),
    ...oneOf(filter.transactionId, (transactionId) => ({ transactionId })),
    ...oneOf(filter.paymentServiceSettlementId, (reference) => ({ reference })),
    ...oneOf(filter.paymentServicePayoutId, (payoutReference) => ({ payoutReference })),
  ]);

/** Reads a page of payouts and one row more. */
export const readPayoutPage = (
  db: Db,
  merchantAccountId: string,
  page: PageRequest,
  filter: PayoutFilter,
): Promise<readonly Settlement[]> =>
  readPage(db, merchantAccountId, page, [{ kind: 'payout' }, ...commonOf(filter)]);

/** Reads a page of differences and one row more. */
export const readDifferencePage = (
  db: Db,
  merchantAccountId: string,
  page: PageRequest,
  filter: DifferenceFilter,
): Promise<readonly Settlement[]> =>
  readPage(db, merchantAccountId, page, [
    { difference: filter.reason === null ? { not: null } : { in: [...filter.reason] } },
    ...commonOf(filter),
    ...oneOf(filter.explained, (explained) => ({ explainedAt: explained ? { not: null } : null })),
  ]);

async function readPage(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  conditions: readonly Condition[],
): Promise<readonly Settlement[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };
  const rows = await prisma.settlement.findMany({
    where: { AND: [{ merchantAccountId }, behind, ...conditions] },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(toSettlement);
}

const commonOf = (filter: PayoutFilter): readonly Condition[] => [
  ...oneOf(filter.paymentServiceId, (ids) => ({ paymentServiceId: { in: [...ids] } })),
  ...oneOf(filter.currency, (currencies) => ({ currency: { in: [...currencies] } })),
  ...oneOf(filter.settledOnGte, (gte) => ({ settledOn: { gte } })),
  ...oneOf(filter.settledOnLte, (lte) => ({ settledOn: { lte } })),
];

const oneOf = <Value>(value: Value | null, condition: (value: Value) => Condition): readonly Condition[] =>
  value === null ? [] : [condition(value)];
