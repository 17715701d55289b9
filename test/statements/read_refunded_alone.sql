-- $1 account, $2 transactions
SELECT w.id, refunded_alone($1, w.id) AS amount FROM unnest($2::uuid[]) AS w (id)
