import type { Booked, ReadBooked } from '../../../connectors/settlements.ts';
import { queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import type { SettlementSource as Row } from '../../../platform/generated/prisma/client.ts';
import { rowReader, type JsonRow } from '../../../platform/database/json-row.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import type { SettlementService } from '../settlement.ts';
import type { SettlementSource } from './source.ts';

const addStatement = prepare(
  'add_settlement_sources',
  `INSERT INTO settlement_source (merchant_account_id, payment_service_id, next_fetch_at, created_at)
   SELECT s.merchant_account_id, s.id, @now, @now FROM payment_service s
   WHERE s.settlement_reporting_enabled AND s.deleted_at IS NULL AND NOT EXISTS (
     SELECT FROM settlement_source f WHERE f.merchant_account_id = s.merchant_account_id AND f.payment_service_id = s.id)
   ON CONFLICT DO NOTHING`,
);

const claimStatement = prepare(
  'claim_settlement_sources',
  `WITH due AS (
     SELECT f.merchant_account_id, f.payment_service_id FROM settlement_source f
     JOIN payment_service s ON s.merchant_account_id = f.merchant_account_id AND s.id = f.payment_service_id
     WHERE f.next_fetch_at <= @now AND s.settlement_reporting_enabled AND s.deleted_at IS NULL
       AND s.definition_id = ANY (@definitions::text[])
     ORDER BY f.next_fetch_at LIMIT @limit FOR NO KEY UPDATE OF f SKIP LOCKED)
   UPDATE settlement_source f SET next_fetch_at = @leaseUntil FROM due d
   WHERE f.merchant_account_id = d.merchant_account_id AND f.payment_service_id = d.payment_service_id
   RETURNING row_to_json(f) AS source`,
);

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

const lockStatement = prepare(
  'lock_settlement_source',
  `SELECT row_to_json(f) AS source FROM settlement_source f
   WHERE f.merchant_account_id = @account AND f.payment_service_id = @service FOR NO KEY UPDATE`,
);

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

const bookedStatement = prepare(
  'read_booked',
  `SELECT l.id, l.kind, coalesce(o.provider_key, o.id) AS key, o.provider_reference AS "operationReference",
     t.payment_service_transaction_id AS "paymentReference", d.provider_reference AS "disputeReference", l.amount, l.currency,
     l.created_at AS "bookedAt"
   FROM ledger_entry l
   JOIN operation o ON ${rowOf('o', 'l', 'operation_id')} AND o.payment_service_id = @service
   JOIN transaction t ON ${rowOf('t', 'l', 'transaction_id')}
   LEFT JOIN dispute d ON l.kind IN ('dispute_loss', 'dispute_loss_reversal') AND d.merchant_account_id = l.merchant_account_id
     AND d.id = nullif(split_part(l.reversal_key, ' ', 2), '')::uuid
   WHERE l.merchant_account_id = @account AND l.id >= @from::uuid
     AND l.kind IN ('capture', 'refund', 'capture_reversal', 'refund_reversal', 'dispute_loss', 'dispute_loss_reversal')
   ORDER BY l.id LIMIT @limit`,
);

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
