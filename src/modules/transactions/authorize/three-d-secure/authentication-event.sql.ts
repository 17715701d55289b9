import {
  envelopeExpression,
  eventExpressions,
  momentExpression as moment,
} from '../../../event-log/index.ts';

// The events that claims publish. In these expressions `c` is the transaction. The events and the history
// of an outcome come from outcome-records.ts.

const BANK = `CASE WHEN c.bank IS NOT NULL THEN json_build_object('scheme', c.bank ->> 'scheme', 'last_four', c.bank ->> 'lastFour',
    'mandate_reference', coalesce(c.bank #>> '{debit,mandateReference}', c.bank #>> '{mandate,reference}'),
    'debits_on', c.bank #>> '{debit,debitsOn}', 'creditor_id', c.bank #>> '{debit,creditorId}') END`;

/** The short form of a transaction `c` for events. The file outcome-records.ts makes the same form. */
const TRANSACTION = `json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
    'payment_method', json_build_object('method', c.method), 'bank', ${BANK}, 'external_identifier', c.external_identifier,
    'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
    'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount, 'splits', published_splits(c.splits),
    'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
    'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
    'has_gift_card_redemptions', c.gift_card_amount > 0,
    'error_code', c.error_code,
    'metadata', c.metadata, 'origin', 'requested', 'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')})`;

const IS_AUTHENTICATED = `c.three_d_secure ->> 'status' = 'complete'`;

const NAME = `CASE c.status WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending' ELSE 'transaction.authenticated' END`;

/**
 * Makes the expressions that publish the outcome of the start of a buyer's authentication. `from` is a table with `c`. Parameters:
 * account, now, environment, eventA.
 */
export const authenticationEvent = (from: string): string => `event_row AS (
  SELECT c.merchant_account_id, @eventA::uuid AS event_id, ${NAME} AS event_name,
    'transaction' AS target_type, c.id::text AS target_id, @now::timestamptz AS created_at,
    ${envelopeExpression({ id: '@eventA::uuid', name: NAME, account: 'c.merchant_account_id', target: TRANSACTION })} AS payload
  FROM ${from} WHERE (c.status = 'buyer_approval_pending' OR ${IS_AUTHENTICATED})), ${eventExpressions('event_row')}`;
