/** In SQL: whether the authorisation of a row of transaction is also the capture; the same as isSale. */
export const saleOf = (transaction: string): string =>
  `(${transaction}.intent = 'capture' AND ${transaction}.anti_fraud_decision IS DISTINCT FROM 'review')`;
