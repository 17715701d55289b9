-- $1 account, $2 transactions
SELECT s.transaction_id AS "transactionId", s.currency, sum(s.gross)::bigint::text AS gross, sum(s.fee)::bigint::text AS fee,
  sum(s.net)::bigint::text AS net
FROM settlement s
WHERE s.merchant_account_id = $1 AND s.transaction_id = ANY ((SELECT $2::uuid[])::uuid[])
GROUP BY s.transaction_id, s.currency ORDER BY s.currency
