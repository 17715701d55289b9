import type { Booked, ReadBooked } from '../../../connectors/notices/settlements.ts';
import { queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import type { SettlementSource as Row } from '../../../platform/generated/prisma/client.ts';
import { rowReader, type JsonRow } from '../../../platform/database/json-row.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { SettlementService } from '../settlement.ts';
import type { SettlementSource } from './source.ts';

const addStatement = prepareFile(import.meta, 'add-settlement-sources.sql');

const claimStatement = prepareFile(import.meta, 'claim-settlement-sources.sql');

type Claim = {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** The definitions that report settlements. */
  readonly definitions: readonly string[];
};

/** Claims payment services whose next fetch is due, of every merchant account, oldest first. */
export async function claimSources(db: Db, claim: Claim): Promise<readonly SettlementSource[]> {
  await db.query(addStatement({ now: claim.now }));
  const rows = await db.query<{ source: JsonRow }>(claimStatement(claim));
  return rows.map(({ source }) => fromJson(source));
}

const fromJson = rowReader<Row, SettlementSource>();

const lockStatement = prepareFile(import.meta, 'lock-settlement-source.sql');

/**
 * Locks the source of a payment service until the end of the database transaction. All that matches or explains entries of the
 * service holds this lock. Null without a source.
 */
export async function lockSource(
  tx: Tx,
  { merchantAccountId: account, paymentServiceId: service }: SettlementService,
): Promise<SettlementSource | null> {
  const [row] = await queryIn(tx).query<{ source: JsonRow }>(lockStatement({ account, service }));
  return row ? fromJson(row.source) : null;
}

/** Changes a source. The caller holds its lock. */
export async function changeSource(
  tx: Tx,
  { merchantAccountId, paymentServiceId }: SettlementService,
  change: Partial<SettlementSource>,
): Promise<void> {
  await tx.settlementSource.update({
    where: { merchantAccountId_paymentServiceId: { merchantAccountId, paymentServiceId } },
    data: change,
  });
}

const bookedStatement = prepareFile(import.meta, 'read-booked.sql');

/** Returns the reader of the books of a payment service. */
export const bookedBy =
  (db: Db, { merchantAccountId: account, paymentServiceId: service }: SettlementService): ReadBooked =>
  (from, limit) =>
    db.query<Booked>(bookedStatement({ account, service, from: from ?? FIRST_ID, limit }));

/** No id is smaller. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Reads the sources of some payment services of a merchant account, in no order. */
export async function readSources(
  { prisma }: Db,
  merchantAccountId: string,
  paymentServiceIds: readonly string[],
): Promise<readonly SettlementSource[]> {
  const rows = await prisma.settlementSource.findMany({
    where: { merchantAccountId, paymentServiceId: { in: [...paymentServiceIds] } },
  });
  return rows as readonly SettlementSource[];
}
