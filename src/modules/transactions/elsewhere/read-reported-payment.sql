-- Reads the payment that a provider reports about, with its version and its payment service, in one row.
-- Answers no row when the account has no such payment or payment service.
-- - `isBooked`: an operation of the kind has the provider's id, the id to book, or the lost key already. A
--   repeat of the request that a restore lost has the lost key. A release also settles a late approval.
-- - `mayBeOurs`: an operation of the kind with the same money has no known id. Our own key stands in for an
--   id that nobody knew.
-- - `isOurs`: a pending operation of the kind has the provider's id, or the lost key.
-- - A void or a cancel releases a payment, so a reported void also matches a cancel.
SELECT row_to_json(t) AS transaction, t.xmin::text AS version,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id) AS service,
  EXISTS (
    SELECT FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = s.id AND (o.kind = @kind::text OR (@kind = 'void' AND o.kind = 'cancel'))
      AND o.status = 'succeeded' AND (o.provider_reference = @reference::text OR o.id = @operation::uuid
        OR coalesce(o.provider_key, o.id) = @lostKey::uuid))
  OR (@kind = 'authorize'
    AND EXISTS (
      SELECT FROM operation o
      WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
        AND o.payment_service_id = s.id AND o.kind = 'release' AND o.provider_reference = @reference))
    AS "isBooked",
  EXISTS (
    SELECT FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = s.id AND (o.kind = @kind OR (@kind = 'void' AND o.kind = 'cancel'))
      AND o.status IN ('pending', 'succeeded') AND NOT o.unsent
      AND (o.provider_reference IS NULL OR o.provider_reference IN (o.id::text, o.provider_key::text))
      AND (o.amount = @amount::int OR @amount::int IS NULL AND o.status = 'pending')) AS "mayBeOurs",
  EXISTS (
    SELECT FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = s.id AND (o.kind = @kind OR (@kind = 'void' AND o.kind = 'cancel'))
      AND o.status = 'pending' AND NOT o.unsent
      AND (o.provider_reference = @reference OR coalesce(o.provider_key, o.id) = @lostKey)) AS "isOurs"
FROM transaction t
JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = @service::uuid
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid
