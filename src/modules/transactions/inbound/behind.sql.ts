// An older webhook has its turn until `turn_until`, and while it is due. A webhook without a turn delays no other. A later
// webhook may bring the operation, the reference or the outcome for which such a webhook waits.
const GOES_FIRST = `w.merchant_account_id = @account AND w.payment_service_id = @service
  AND w.turn_until IS NOT NULL AND (w.turn_until > @now::timestamptz OR w.next_attempt_at <= @now::timestamptz)
  AND (w.received_at, w.id) < (@receivedAt::timestamptz, @id::uuid) AND w.notice ->> 'verb' = ANY (@verbs::text[])`;

// Written so that the index of references does not fit. A connection that planned for an empty table would read all references
// of the service in it.
const IS_PARKED = `w.state || '' = 'parked'`;

// A payment may have several captures, refunds and increases. The provider's ids tell them apart.
const IS_ANOTHER = `coalesce(o.kind IN ('increase', 'capture', 'refund') AND w.notice ->> 'reference' <> @own::text, false)`;

/**
 * Makes a condition: an older webhook of operation `o` of `t` goes first. `keys` lists our keys of the operation.
 * The reference stands in for the key in webhooks without a key. Each half is one look-up in a partial index.
 */
export const behind = (keys: string): string => `(
  EXISTS (SELECT FROM inbound_webhook w WHERE ${GOES_FIRST} AND ${IS_PARKED} AND w.operation_id = ANY (ARRAY[${keys}]))
  OR EXISTS (SELECT FROM inbound_webhook w WHERE ${GOES_FIRST} AND w.state = 'parked' AND w.operation_id IS NULL
    AND w.provider_reference = ANY (ARRAY[t.payment_service_transaction_id, o.provider_reference]) AND NOT ${IS_ANOTHER}))`;
