-- Reads the facts that decide about a late approval, as they are now, in one row. Answers no row for an
-- unknown operation. The history tells which events a webhook told, because the approval may come after the
-- events that followed the approval.
SELECT m.late_authorizations = 'accept' AS accepts,
  EXISTS (
    SELECT FROM operation o
    WHERE o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.transaction_id
      AND o.kind = 'authorize' AND o.status IN ('pending', 'succeeded')) AS "hasAnother",
  (EXISTS (
    SELECT FROM operation o
    WHERE o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.transaction_id
      AND o.kind = 'cancel' AND o.status = 'succeeded')
    OR a.error_code IS NOT DISTINCT FROM 'expired_authorization'
    OR EXISTS (
      SELECT FROM history_entry h
      WHERE h.merchant_account_id = a.merchant_account_id AND h.transaction_id = a.transaction_id
        AND h.context ->> 'webhook_event' = 'authorize.expired'
        AND h.context ->> 'operation_id' = a.id::text)) AS "isOver",
  EXISTS (
    SELECT FROM history_entry h
    WHERE h.merchant_account_id = a.merchant_account_id AND h.transaction_id = a.transaction_id
      AND h.context ->> 'webhook_event' = 'capture.reversed'
      AND h.context ->> 'operation_id' = a.id::text) AS "isReversed"
FROM operation a
JOIN merchant_account m ON m.id = a.merchant_account_id
WHERE a.merchant_account_id = @account::text AND a.id = @operation::uuid
