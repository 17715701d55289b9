-- Reads, without a lock, the captures that a new refund of a payment would be of, oldest first. Adds the
-- captures, the sale and the refunds that are confirmed or under way, in the order of their ids. The function
-- `allocate_refund` fails if the captures cannot carry the refund.
--
-- - A claim repeats the allocation under the lock. A check then refuses the shares of other captures.
SELECT allocate_refund(t.merchant_account_id, t.id, @amount::int) AS allocated,
  (
    SELECT json_agg(row_to_json(o) ORDER BY o.id) FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.kind IN ('authorize', 'capture', 'refund') AND o.status IN ('pending', 'succeeded')) AS operations
FROM transaction t
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid
