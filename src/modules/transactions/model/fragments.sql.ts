/**
 * Condition: operation `o`, which its id names, is still pending. Written so that no partial index fits. The index of pending
 * operations keeps an entry for every operation that was pending since its last clean-up. The id leads to the one row.
 */
export const STILL_PENDING = `o.status || '' = 'pending'`;

/** Condition: the authorisation of a row of `transaction` also captures. The SQL form of `isSale`. */
export const saleOf = (transaction: string): string =>
  `(${transaction}.intent = 'capture' AND ${transaction}.anti_fraud_decision IS DISTINCT FROM 'review')`;
