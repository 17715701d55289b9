import type { PageRequest } from '../../kernel/page.ts';
import type { Db } from '../../platform/db.ts';
import type { Prisma } from '../../platform/generated/prisma/client.ts';
import type { Dispute } from './dispute.ts';
import type { DisputeFilter } from './filter.ts';
import { toDispute } from './store.ts';

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function readDisputePage(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  filter: DisputeFilter,
): Promise<readonly Dispute[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };
  const rows = await prisma.dispute.findMany({
    where: { AND: [{ merchantAccountId }, behind, ...conditionsOf(filter)] },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(toDispute);
}

type Condition = Prisma.DisputeWhereInput;

/** Returns the conditions of the given filters only. */
const conditionsOf = (filter: DisputeFilter): readonly Condition[] => [
  ...(['stage', 'status', 'reason', 'currency', 'paymentServiceId'] as const).flatMap((field) => {
    const values: readonly string[] | null = filter[field];
    return values === null ? [] : [{ [field]: { in: [...values] } }];
  }),
  ...one(filter.transactionId, (transactionId) => ({ transactionId })),
  ...one(filter.paymentServiceDisputeId, (providerReference) => ({ providerReference })),
  ...one(filter.respondByGte, (gte) => ({ respondBy: { gte } })),
  ...one(filter.respondByLte, (lte) => ({ respondBy: { lte } })),
  ...one(filter.createdAtGte, (gte) => ({ createdAt: { gte } })),
  ...one(filter.createdAtLte, (lte) => ({ createdAt: { lte } })),
];

const one = <Value>(value: Value | null, condition: (value: Value) => Condition): readonly Condition[] =>
  value === null ? [] : [condition(value)];
