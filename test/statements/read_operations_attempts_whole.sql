-- $1 transactions, $2 account, $3 limit
SELECT wanted.ordinal::int, o.*
FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS wanted (transaction_id, ordinal)
CROSS JOIN LATERAL (
  SELECT o.merchant_account_id, o.id, o.transaction_id, o.payment_service_id, o.kind, o.origin, o.releases_id, o.choice, o.status, o.amount, o.currency, o.final, o.idempotency_key, o.provider_key, o.external_identifier, o.reason, o.actor, o.redemption_id, o.batch_id, o.sealed_card, o.sealed_returned, o.sealed_form, o.provider_reference, o.error_code, o.raw_response_code, o.raw_response_description, o.auth_response_code, o.network_response_code, o.merchant_advice_code, o.reversed_amount, o.reversals, o.refund_captures, o.tokenizes, o.unsent, o.attempts, o.sent_at, o.accepted_at, o.decision_until, o.unknown_at, o.unknown_cause, o.lease_until, o.next_attempt_at, o.settled_at, o.created_at, o.updated_at FROM operation o WHERE o.merchant_account_id = $2 AND o.transaction_id = wanted.transaction_id
    AND o.kind = 'authorize' ORDER BY o.id LIMIT $3) o
