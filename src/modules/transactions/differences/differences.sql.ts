import type { PageRequest } from '../../../kernel/page.ts';
import { columnSet } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Prisma, type Difference as Row } from '../../../platform/generated/prisma/client.ts';
import { given, readIdPage } from '../../../platform/lists/id-page.sql.ts';
import { between, isOneOf } from '../../../platform/lists/list-filters.sql.ts';
import type { Difference, DifferenceState } from './difference.ts';
import type { DifferenceFilter } from './filter.ts';

const FIELDS = Object.values(Prisma.DifferenceScalarFieldEnum);

/** The columns of a difference. The database checks their words. */
const COLUMNS = columnSet<Difference>('whole', FIELDS, FIELDS);

/** Writes a difference, unless the same finding about the same subject is listed already. Commits once. */
export async function insertDifference(db: Db, difference: Difference): Promise<void> {
  const { made, ...columns } = difference;
  const data = { ...columns, made: made ?? Prisma.DbNull };
  await db.transaction((tx) => tx.difference.createMany({ data, skipDuplicates: true }));
}

/** Reads a difference. Null if the merchant account has none with the id. The id must be a UUID. */
export async function readDifference(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  id: string,
): Promise<Difference | null> {
  const row = await prisma.difference.findFirst({ where: { merchantAccountId, id } });
  return row && toDifference(row);
}

/**
 * Ends an open difference. Null if another process has ended the difference before. The database handle names the actor for the
 * audit log. Commits once.
 */
export async function endDifference(
  db: Db,
  { merchantAccountId, id }: Difference,
  { state, reason, now }: { state: Exclude<DifferenceState, 'open'>; reason: string | null; now: Date },
): Promise<Difference | null> {
  const where = { merchantAccountId, id, state: 'open' };
  const data = { state, reason, endedAt: now };
  const [ended] = await db.transaction((tx) => tx.difference.updateManyAndReturn({ where, data }));
  return ended ? toDifference(ended) : null;
}

/** The findings that end when both sides agree again. */
const ENDS_IN_AGREEMENT = [
  ...['several_operations', 'unknown_operation', 'undecided', 'missing_at_provider'],
];

/** A payment whose books agree with those of its payment service. */
export type Agreed = Pick<Difference, 'merchantAccountId' | 'transactionId' | 'paymentServiceId'> & {
  readonly now: Date;
};

/**
 * Ends the open differences about a payment that agrees with its provider again. A settlement that says otherwise stays listed.
 * Commits at most once.
 */
export async function resolveDifferences(db: Db, { now, ...payment }: Agreed): Promise<void> {
  const where = {
    ...{ ...payment, state: 'open', finding: { in: ENDS_IN_AGREEMENT } },
    source: { not: 'settlement' },
  };
  const found = await db.prisma.difference.findFirst({ where, select: { id: true } });
  if (found === null) return;
  const data = { state: 'resolved', endedAt: now };
  await db.transaction((tx) => tx.difference.updateMany({ where, data }));
}

/** Ends the open difference about a report whose operation is known now. Commits at most once. */
export async function resolveUnknown(
  db: Db,
  { now, ...about }: Agreed & Pick<Difference, 'subject'>,
): Promise<void> {
  const where = { ...about, state: 'open', finding: 'unknown_operation' };
  const data = { state: 'resolved', endedAt: now };
  await db.transaction((tx) => tx.difference.updateMany({ where, data }));
}

/** An entry of a settlement that fits the books. */
export type Settled = Pick<Difference, 'merchantAccountId' | 'transactionId' | 'paymentServiceId'> & {
  /** The names under which the entry may be listed. */
  readonly subjects: readonly string[];
  readonly now: Date;
};

/** Ends the open differences that listed an entry of a settlement, because the entry fits now. Commits at most once. */
export async function resolveLineDifferences(
  db: Db,
  { merchantAccountId, transactionId, paymentServiceId, subjects, now }: Settled,
): Promise<void> {
  const where = {
    ...{ merchantAccountId, transactionId, paymentServiceId, state: 'open', source: 'settlement' },
    ...{ subject: { in: [...subjects] }, finding: { in: ENDS_WITH_A_FIT } },
  };
  const data = { state: 'resolved', endedAt: now };
  await db.transaction((tx) => tx.difference.updateMany({ where, data }));
}

/** The findings of an entry that was not booked. */
const ENDS_WITH_A_FIT = [
  ...['unknown_operation', 'other_money', 'unknown_amount', 'too_large', 'possible_repeat', 'contradicts'],
  ...['several_operations', 'undecided', 'unexpected_state', 'exceeds_operation'],
];

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export const readDifferencePage = (
  db: Db,
  account: string,
  filter: DifferenceFilter,
  page: PageRequest,
): Promise<readonly Difference[]> => {
  const conditions = [
    ...(['state', 'finding', 'source'] as const).flatMap((column) =>
      given<readonly string[]>(filter[column], (values) => isOneOf(column, 'text', values)),
    ),
    ...given(filter.operationKind, (kinds) => isOneOf('kind', 'text', kinds)),
    ...given(filter.paymentServiceId, (id) => isOneOf('payment_service_id', 'uuid', [id])),
    ...given(filter.transactionId, (id) => isOneOf('transaction_id', 'uuid', [id])),
    ...between('found_at', 'timestamptz', { from: filter.foundAtGte, to: filter.foundAtLte }),
  ];
  return readIdPage(db, { table: 'difference', account, columns: COLUMNS, conditions }, page);
};

const toDifference = (row: Row): Difference => row as Row & Difference;
