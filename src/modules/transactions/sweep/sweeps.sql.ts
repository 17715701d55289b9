import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { toOperation, toTransaction, type JsonRow } from '../model/rows.sql.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import type { Place } from './passes.ts';

/** The sweep of one payment service. */
export type Sweep = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  /** The place for each age of `AGES_MS`. */
  readonly places: readonly Place[];
};

const addStatement = prepare(
  'add_books_sweeps',
  `INSERT INTO books_sweep (merchant_account_id, payment_service_id, places, next_at)
   SELECT s.merchant_account_id, s.id, @places::jsonb, @now FROM payment_service s
   WHERE s.deleted_at IS NULL AND s.definition_id = ANY (@definitions::text[]) AND NOT EXISTS (
     SELECT FROM books_sweep b WHERE b.merchant_account_id = s.merchant_account_id AND b.payment_service_id = s.id)
   ON CONFLICT DO NOTHING`,
);

const claimStatement = prepare(
  'claim_books_sweeps',
  `WITH due AS (
     SELECT b.merchant_account_id, b.payment_service_id FROM books_sweep b
     JOIN payment_service s ON s.merchant_account_id = b.merchant_account_id AND s.id = b.payment_service_id
     WHERE b.next_at <= @now AND s.deleted_at IS NULL AND s.definition_id = ANY (@definitions::text[])
     ORDER BY b.next_at LIMIT @limit FOR NO KEY UPDATE OF b SKIP LOCKED)
   UPDATE books_sweep b SET next_at = @leaseUntil FROM due d
   WHERE b.merchant_account_id = d.merchant_account_id AND b.payment_service_id = d.payment_service_id
   RETURNING b.merchant_account_id AS "merchantAccountId", b.payment_service_id AS "paymentServiceId", b.places`,
);

export type SweepClaim = {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** The definitions whose connectors read books. */
  readonly definitions: readonly string[];
  /** The places of a payment service without a sweep. */
  readonly first: readonly Place[];
};

/** Claims the sweeps that are due, of every merchant account, oldest first. Other processes leave them until the lease ends. */
export async function claimSweeps(db: Db, claim: SweepClaim): Promise<readonly Sweep[]> {
  const { now, leaseUntil, limit, definitions, first } = claim;
  await db.query(addStatement({ now, definitions, places: JSON.stringify(first) }));
  return await db.query<Sweep>(claimStatement({ now, leaseUntil, limit, definitions }));
}

const keepStatement = prepare(
  'keep_books_sweep',
  `UPDATE books_sweep SET places = @places::jsonb, next_at = @nextAt
   WHERE merchant_account_id = @account AND payment_service_id = @service`,
);

/** Records how far a sweep has come, and when it goes on. Commits once. */
export async function keepSweep(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Sweep,
  { places, nextAt }: { readonly places: readonly Place[]; readonly nextAt: Date },
): Promise<void> {
  await db.query(keepStatement({ account, service, places: JSON.stringify(places), nextAt }));
}

/** A payment with its operations at the payment service. */
export type SweptPayment = { readonly transaction: Transaction; readonly operations: readonly Operation[] };

// A payment whose money is all refunded has nothing left that can be moved elsewhere. A void that was made elsewhere may have
// released the rest of a capture that nobody told.
const nextStatement = prepare(
  'next_payments_of_sweep',
  `SELECT row_to_json(t) AS transaction, (
     SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
     WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
       AND o.payment_service_id = @service) AS operations
   FROM transaction t
   WHERE t.merchant_account_id = @account AND t.payment_service_id = @service
     AND (t.created_at, t.id) > (@at::timestamptz, @id::uuid) AND t.created_at <= @until
     AND (t.status IN ('authorization_succeeded', 'authorization_void_pending', 'capture_pending', 'capture_succeeded')
       OR t.status = 'authorization_voided' AND EXISTS (SELECT FROM operation v
         WHERE v.merchant_account_id = t.merchant_account_id AND v.transaction_id = t.id AND v.kind = 'void'
           AND v.origin = 'provider'))
     AND t.payment_service_transaction_id IS NOT NULL
     AND NOT (t.capture_closed AND t.captured_amount > 0 AND t.refunded_amount = t.captured_amount)
   ORDER BY t.created_at, t.id LIMIT @limit`,
);

/** Reads the next open payments of a payment service behind a place, oldest first, that were created by `until`. */
export async function nextPayments(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Sweep,
  { at, id }: Place,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<readonly SweptPayment[]> {
  const rows = await db.query<{ transaction: JsonRow; operations: readonly JsonRow[] }>(
    nextStatement({ account, service, at, id, until, limit }),
  );
  return rows.map(({ transaction, operations }) => ({
    transaction: toTransaction(transaction),
    operations: operations.map(toOperation),
  }));
}
