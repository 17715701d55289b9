import { WAITING_EVENTS } from './waiting-events.ts';

// Statements about a database at rest. Each row in their results is a sentence about one fault.

const PENDING = `
  SELECT format('operations: %s %s is pending', kind, id) AS finding FROM operation WHERE status = 'pending'
  UNION ALL
  SELECT format('transaction %s: something is reserved', id) FROM transaction
  WHERE capture_pending_amount > 0 OR refund_pending_amount > 0 OR void_pending OR increase_pending_amount > 0
    OR reauthorize_pending`;

const KEYS = `
  SELECT format('keys: %s made %s of %s', idempotency_key, count(*), kind) FROM operation
  WHERE idempotency_key IS NOT NULL GROUP BY merchant_account_id, kind, idempotency_key HAVING count(*) > 1
  UNION ALL
  SELECT format('keys: %s of %s has no result', key, operation) FROM idempotency_key k
  WHERE result IS NULL AND NOT EXISTS (SELECT FROM operation o WHERE o.id::text = k.resource_id AND o.answer IS NOT NULL)`;

/** The operations. An authorisation that also captures counts as a sale. */
const ACTS = `(
  SELECT o.*, CASE WHEN o.kind = 'authorize' AND t.intent = 'capture' THEN 'sale' ELSE o.kind END AS act
  FROM operation o JOIN transaction t ON t.merchant_account_id = o.merchant_account_id AND t.id = o.transaction_id)`;

const LEDGER = `
  SELECT format('ledger: %s %s has %s entries', o.act, o.id, count(l.id)) FROM ${ACTS} o
  LEFT JOIN ledger_entry l ON l.merchant_account_id = o.merchant_account_id AND l.operation_id = o.id
  GROUP BY o.act, o.id, o.status
  HAVING count(l.id) <> CASE WHEN o.status <> 'succeeded' THEN 0 WHEN o.act = 'sale' THEN 2 ELSE 1 END`;

/** The events of an ended operation: about the operation or about its transaction. */
const TOLD = `(VALUES
  ('authorize', 'succeeded', true, 'transaction.authorized'),
  ('authorize', 'declined', true, 'transaction.declined'),
  ('authorize', 'failed', true, 'transaction.failed'),
  ('sale', 'succeeded', true, 'transaction.captured'),
  ('sale', 'declined', true, 'transaction.declined'),
  ('sale', 'failed', true, 'transaction.failed'),
  ('capture', 'succeeded', false, 'capture.succeeded'),
  ('capture', 'succeeded', true, 'transaction.captured'),
  ('capture', 'declined', false, 'capture.declined'),
  ('capture', 'declined', true, 'transaction.capture-failed'),
  ('capture', 'failed', false, 'capture.failed'),
  ('capture', 'failed', true, 'transaction.capture-failed'),
  ('refund', 'succeeded', false, 'refund.succeeded'),
  ('refund', 'declined', false, 'refund.declined'),
  ('refund', 'failed', false, 'refund.failed'),
  ('increase', 'succeeded', true, 'transaction.authorization-increased'),
  ('increase', 'declined', true, 'transaction.increase-declined'),
  ('increase', 'failed', true, 'transaction.increase-failed'),
  ('reauthorize', 'succeeded', true, 'transaction.reauthorized'),
  ('reauthorize', 'declined', true, 'transaction.reauthorize-declined'),
  ('reauthorize', 'failed', true, 'transaction.reauthorize-failed'),
  ('void', 'succeeded', true, 'transaction.voided'),
  ('void', 'declined', true, 'transaction.void-declined'),
  ('void', 'failed', true, 'transaction.void-failed'))`;

const EVENTS = `
  SELECT format('events: %s of %s was told %s times, not %s', name, target, coalesce(e.told, 0), coalesce(o.due, 0))
  FROM (
    SELECT t.name, CASE WHEN t.of_transaction THEN o.transaction_id ELSE o.id END::text AS target, count(*) AS due
    FROM ${ACTS} o JOIN ${TOLD} AS t (act, status, of_transaction, name) USING (act, status) GROUP BY 1, 2) o
  FULL JOIN (
    SELECT name, target_id AS target, count(*) AS told FROM event
    WHERE target_type IN ('transaction', 'capture', 'refund') GROUP BY 1, 2) e USING (name, target)
  WHERE e.told IS DISTINCT FROM o.due`;

const FEED = `
  SELECT format('feed: event %s is not in it', e.id) FROM event e LEFT JOIN feed_entry f USING (position)
  WHERE f.position IS NULL
  UNION ALL
  SELECT format('feed: event %s still waits', position) FROM (${WAITING_EVENTS}) w
  UNION ALL
  SELECT format('feed: %s entries, numbered %s to %s', count(*), min(sequence), max(sequence)) FROM feed_entry
  GROUP BY merchant_account_id HAVING min(sequence) <> 1 OR max(sequence) <> count(*)`;

const ATTEMPTS = `
  SELECT format('attempts: the delivery of %s to %s counts %s, not %s', position, endpoint_id,
    coalesce(d.attempts_made, 0), count(a.id))
  FROM delivery d FULL JOIN delivery_attempt a USING (merchant_account_id, endpoint_id, position)
  GROUP BY position, endpoint_id, d.attempts_made HAVING count(a.id) <> coalesce(d.attempts_made, 0)`;

/** Selects a sentence for each fact that is unfinished, missing or published twice in a database at rest. */
export const LOOSE_ENDS = [PENDING, KEYS, LEDGER, EVENTS, FEED, ATTEMPTS].join(' UNION ALL ');
