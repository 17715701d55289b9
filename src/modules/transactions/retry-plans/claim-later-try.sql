-- Locks a refused payment and the records of its card, and starts a later try: an authorisation of its own.
-- The payment is processing again, and the plan counts the try. Answers no row, and writes nothing, in these
-- cases:
-- - The plan has changed: a stop, an end, or a try of another process.
-- - The payment has changed since version @version, so a release, a cancel or a late approval may be under
--   way.
-- - The card has @attemptsMax authorisations for this amount since @since. Null allows any number.
--
-- - The records of one card are locked in one order, and `card_attempts` reads after the lock. So plans of
--   several payments never pass the limit together.
-- - `report_values` keeps the values that the new try may change, as at an authorisation after which another
--   service is asked.
-- - `provider_key` is the first of @providerKeys that no operation has. After a restore of the database, the
--   provider so gets the key of the try that the database lost.
-- - The card may have a new number or date since the first try. The payment shows the card of this try.
--   The fingerprint stays that of the first card, because the answer to a key has no other.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
-- - The last condition is always true, and tells the audit triggers the actor.
WITH locked AS (
  SELECT t.* FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid AND t.xmin::text = @version::text
    AND t.status IN ('authorization_declined', 'authorization_failed') AND NOT t.void_pending
    AND t.canceled_at IS NULL
  FOR NO KEY UPDATE),
card AS (
  SELECT m.id FROM payment_method m
  WHERE m.merchant_account_id = @account AND EXISTS (SELECT FROM locked)
    AND (m.id = @method::uuid OR m.fingerprint = @fingerprint::text)
  ORDER BY m.id FOR NO KEY UPDATE),
allowed AS (
  SELECT l.* FROM locked l
  WHERE (SELECT count(*) FROM card) > 0
    AND (@attemptsMax::int IS NULL
      OR card_attempts(l.merchant_account_id, @method, l.amount - l.gift_card_amount, l.currency,
        @since::timestamptz, @attemptsMax) < @attemptsMax)),
planned AS (
  UPDATE transaction_retry_plan p SET tries = p.tries + 1, next_try_at = NULL,
    next_look_at = @lookAt::timestamptz, updated_at = @now::timestamptz
  FROM allowed a
  WHERE p.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND p.transaction_id = ANY (ARRAY[a.id])
    AND p.status = 'active' AND p.tries = @tries::int AND p.next_try_at <= @now
  RETURNING p.merchant_account_id, p.transaction_id, p.after_operation_id),
kept AS (
  UPDATE operation o SET report_values
      = jsonb_build_object('scheme', coalesce(a.card_scheme, ''),
        'card_country', coalesce(a.card_country, ''),
        'three_d_secure', coalesce(a.three_d_secure ->> 'status', 'none'))
  FROM planned p
  JOIN allowed a ON a.merchant_account_id = p.merchant_account_id
  WHERE o.merchant_account_id = ANY (ARRAY[p.merchant_account_id])
    AND o.id = ANY (ARRAY[p.after_operation_id]) AND o.report_values IS NULL),
moved AS (
  UPDATE transaction t SET status = 'processing', intent_outcome = 'pending',
    payment_service_transaction_id = NULL, error_code = NULL, raw_response_code = NULL,
    raw_response_description = NULL, auth_response_code = NULL, avs_response_code = NULL,
    cvv_response_code = NULL, card_scheme = @cardScheme::text, card_bin = @cardBin::text,
    card_last_four = @cardLastFour::text, card_expiration_date = @cardExpirationDate::text, updated_at = @now
  FROM planned p
  WHERE t.merchant_account_id = ANY (ARRAY[p.merchant_account_id]) AND t.id = ANY (ARRAY[p.transaction_id])
  RETURNING t.*),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount,
    currency, provider_key, actor, sealed_card, attempts, lease_until, next_attempt_at, sent_at, created_at,
    updated_at)
  SELECT m.merchant_account_id, @operation::uuid, m.id, m.payment_service_id, 'authorize', @choice::text,
    m.amount - m.gift_card_amount, m.currency,
    (
      SELECT derived.key
      FROM unnest(@providerKeys::uuid[]) WITH ORDINALITY AS derived (key, nth)
      WHERE NOT EXISTS (
        SELECT FROM operation p
        WHERE p.merchant_account_id = @account AND p.provider_key = ANY (ARRAY[derived.key]))
      ORDER BY derived.nth LIMIT 1),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @sealedCard::text, 1,
    @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now
  FROM moved m RETURNING *)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
FROM started s, moved m
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
