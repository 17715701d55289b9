/** The kinds of entries of the ledger, and the columns that sum them. */
const COLUMNS = [
  ...(['authorized', 'captured', 'refunded', 'voided', 'expired'] as const),
  ...(['capture_reversed', 'refund_reversed', 'dispute_lost'] as const),
];

const KINDS: Readonly<Record<(typeof COLUMNS)[number], readonly string[]>> = {
  ...{ authorized: ['authorize', 'increase'], captured: ['capture'], refunded: ['refund'] },
  ...{ voided: ['void'], expired: ['expire'], capture_reversed: ['capture_reversal'] },
  ...{ refund_reversed: ['refund_reversal'], dispute_lost: ['dispute_loss', 'dispute_loss_reversal'] },
};

const SIGNED = `CASE l.kind WHEN 'dispute_loss_reversal' THEN -l.amount ELSE l.amount END`;

const ofLedger = COLUMNS.map((column) => {
  const kinds = KINDS[column].map((kind) => `'${kind}'`).join(', ');
  return `coalesce(sum(${SIGNED}) FILTER (WHERE l.kind IN (${kinds})), 0)`;
});

/**
 * Lists the sums of reports that differ from the ledger. Each dimension splits the same entries, except the codes of
 * refusals.
 */
export const MISREPORTED = `
  SELECT coalesce(k.merchant, l.merchant) AS merchant, k.dimension, k.grain, coalesce(k.currency, l.currency) AS currency,
    k.sums::text AS kept, l.sums::text AS ledger
  FROM (SELECT merchant_account_id AS merchant, dimension, grain, currency,
      ARRAY[${COLUMNS.map((column) => `sum(${column}_amount)`).join(', ')}]::bigint[] AS sums
    FROM report_bucket WHERE dimension <> 'decline_code' GROUP BY 1, 2, 3, 4) k
  FULL JOIN (SELECT l.merchant_account_id AS merchant, l.currency, ARRAY[${ofLedger.join(', ')}]::bigint[] AS sums
    FROM ledger_entry l GROUP BY 1, 2) l USING (merchant, currency)
  WHERE k.sums IS DISTINCT FROM l.sums AND NOT (l.sums IS NULL AND k.sums = array_fill(0::bigint, ARRAY[${COLUMNS.length}]))`;
