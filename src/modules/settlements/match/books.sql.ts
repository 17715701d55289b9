import { queryIn, type Tx } from '../../../platform/database/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import { byKey, prepare, rowOf } from '../../../platform/database/statement.ts';
import type { SettlementEntry, SettlementService } from '../settlement.ts';
import type { Booking, Books, HeldDispute, Named, NamedEntry } from './match-rules.ts';

/** Each entry has five names at most. The place tells the entries apart. */
const namedStatement = prepare(
  'name_settlements',
  `SELECT e.place::int, n.* FROM unnest(@keys::uuid[], @references::text[], @disputes::text[], @payments::text[],
       @captures::text[]) WITH ORDINALITY AS e (key, reference, dispute, payment, capture, place)
   CROSS JOIN LATERAL (
     SELECT 'key' AS by, o.transaction_id AS "transactionId", o.id AS "operationId", o.kind AS "operationKind",
       NULL::uuid AS "disputeId"
     FROM operation o WHERE o.merchant_account_id = @account AND ${byKey('o.id', 'e.key')} AND o.provider_key IS NULL
       AND o.payment_service_id = @service
     UNION ALL
     SELECT 'key', o.transaction_id, o.id, o.kind, NULL FROM operation o
     WHERE o.merchant_account_id = @account AND ${byKey('o.provider_key', 'e.key')} AND o.payment_service_id = @service
     UNION ALL
     SELECT 'reference', o.transaction_id, o.id, o.kind, NULL FROM operation o
     WHERE o.merchant_account_id = @account AND ${byKey('o.provider_reference', 'e.reference')} AND o.payment_service_id = @service
     UNION ALL
     SELECT 'dispute', d.transaction_id, d.operation_id, NULL, d.id FROM dispute d
     WHERE d.merchant_account_id = @account AND d.payment_service_id = @service AND ${byKey('d.provider_reference', 'e.dispute')}
     UNION ALL
     SELECT 'payment', t.id, NULL, NULL, NULL FROM transaction t
     WHERE t.merchant_account_id = @account AND ${byKey('t.payment_service_transaction_id COLLATE "C"', 'e.payment')}
       AND t.payment_service_id = @service
     UNION ALL
     SELECT 'capture', o.transaction_id, NULL, NULL, NULL FROM operation o
     WHERE o.merchant_account_id = @account AND ${byKey('o.provider_reference', 'e.capture')} AND o.payment_service_id = @service
       AND o.kind IN ('authorize', 'capture')) n`,
);

/** Finds all that each entry names at its payment service, in the order of the entries. */
export async function nameEntries(
  tx: Tx,
  { merchantAccountId: account, paymentServiceId: service }: SettlementService,
  entries: readonly SettlementEntry[],
): Promise<readonly NamedEntry[]> {
  const rows = await queryIn(tx).query<Named & { readonly place: number }>(
    namedStatement({
      ...{ account, service },
      keys: entries.map(({ key }) => (key !== null && isUuid(key) ? key : null)),
      references: entries.map(({ operationReference }) => operationReference),
      disputes: entries.map(({ disputeReference }) => disputeReference),
      payments: entries.map(({ paymentReference }) => paymentReference),
      captures: entries.map(({ captureReference }) => captureReference ?? null),
    }),
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return entries.map((entry, index) => ({ entry, named: byPlace.get(index + 1) ?? [] }));
}

const bookingsStatement = prepare(
  'bookings_to_settle',
  `SELECT l.id, l.transaction_id AS "transactionId", l.operation_id AS "operationId", l.kind, l.amount, l.currency,
     s.id IS NOT NULL AS settled, o.kind AS "operationKind",
     nullif(nullif(o.provider_reference, o.id::text), o.provider_key::text) AS "providerReference",
     (SELECT coalesce(sum(coalesce(p.original_amount, abs(p.gross))), 0) FROM settlement p
      WHERE p.merchant_account_id = l.merchant_account_id AND p.transaction_id = l.transaction_id AND p.is_part
        AND p.operation_id = l.operation_id AND p.difference IS NULL
        AND p.kind = CASE l.kind WHEN 'capture' THEN 'charge' ELSE l.kind END)::int AS parts
   FROM ledger_entry l
   JOIN operation o ON ${rowOf('o', 'l', 'operation_id')} AND o.payment_service_id = @service
   LEFT JOIN settlement s ON ${byKey('s.merchant_account_id', 'l.merchant_account_id')} AND ${byKey('s.ledger_entry_id', 'l.id')}
   WHERE l.merchant_account_id = @account AND l.transaction_id = ANY (@transactions::uuid[])
     AND l.kind IN ('capture', 'refund', 'capture_reversal', 'refund_reversal')
   ORDER BY l.id`,
);

const disputesStatement = prepare(
  'disputes_to_settle',
  `SELECT d.id, d.transaction_id AS "transactionId", d.operation_id AS "operationId", d.amount, d.currency,
     (SELECT count(*) FILTER (WHERE s.kind = 'chargeback') - count(*) FILTER (WHERE s.kind = 'chargeback_reversal')
      FROM settlement s WHERE s.merchant_account_id = d.merchant_account_id AND s.dispute_id = d.id
        AND s.difference IS NULL)::int AS held
   FROM dispute d
   WHERE d.merchant_account_id = @account AND d.payment_service_id = @service
     AND d.transaction_id = ANY (@transactions::uuid[])
   ORDER BY d.id`,
);

/** Reads what is booked for the named payments at a payment service. The caller holds the lock of the source. */
export async function readBooks(
  tx: Tx,
  { merchantAccountId: account, paymentServiceId: service }: SettlementService,
  entries: readonly NamedEntry[],
): Promise<Books> {
  const transactions = [
    ...new Set(entries.flatMap(({ named }) => named.map(({ transactionId }) => transactionId))),
  ];
  if (transactions.length === 0) return { bookings: [], disputes: [] };
  const given = { account, service, transactions };
  return {
    bookings: await queryIn(tx).query<Booking>(bookingsStatement(given)),
    disputes: await queryIn(tx).query<HeldDispute>(disputesStatement(given)),
  };
}
