import { envelopeExpression, eventExpressions, momentExpression as moment } from '../../event-log/index.ts';

// The events that claims publish (facts 5.2). In these expressions `c` is the transaction. The events and the history
// of an outcome come from outcome-records.ts.

/** An event about a transaction: its name in SQL, with the condition under which it is published. */
type ClaimEvent = {
  readonly name: string;
  readonly when?: string;
  readonly origin?: 'requested' | 'provider';
};

const BANK = `CASE WHEN c.bank IS NOT NULL THEN json_build_object('scheme', c.bank ->> 'scheme', 'last_four', c.bank ->> 'lastFour',
    'mandate_reference', coalesce(c.bank #>> '{debit,mandateReference}', c.bank #>> '{mandate,reference}'),
    'debits_on', c.bank #>> '{debit,debitsOn}', 'creditor_id', c.bank #>> '{debit,creditorId}') END`;

/** The short form of a transaction `c` for events (facts 5.1). The file outcome-records.ts makes the same form. */
const transactionOf = (
  origin: 'requested' | 'provider',
) => `json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
    'payment_method', json_build_object('method', c.method), 'bank', ${BANK}, 'external_identifier', c.external_identifier,
    'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
    'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
    'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
    'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
    'has_gift_card_redemptions', c.gift_card_amount > 0,
    'error_code', c.error_code,
    'metadata', c.metadata, 'origin', '${origin}', 'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')})`;

/**
 * Makes the expressions that publish the outcome of a buyer's authentication. `from` is a table with `c`. Parameters:
 * account, now, environment, eventA.
 */
export function authenticationEvent(moment: keyof typeof AUTHENTICATION_EVENTS, from: string): string {
  return `event_row AS (${eventRow(AUTHENTICATION_EVENTS[moment], from)}), ${eventExpressions('event_row')}`;
}

/**
 * Makes the expressions that publish the decision of a fraud check. `from` is a table with `c`. Parameters: account,
 * now, environment, eventA.
 */
export function fraudEvent(moment: keyof typeof FRAUD_EVENTS, from: string): string {
  return `event_row AS (${eventRow(FRAUD_EVENTS[moment], from)}), ${eventExpressions('event_row')}`;
}

/**
 * Makes the expressions that publish a change of the merchant's own data. `from` is a table with `c`. Parameters: account,
 * now, environment, eventA.
 */
export const modifiedEvent = (from: string): string =>
  `event_row AS (${eventRow({ name: `'transaction.modified'` }, from)}), ${eventExpressions('event_row')}`;

/**
 * Makes the expressions that publish an authorisation after its refusal. `from` is a table with `c`. Parameters: account, now,
 * environment, eventA.
 */
export const lateAuthorizationEvent = (from: string): string =>
  `event_row AS (${eventRow({ name: `'transaction.late-authorization'`, origin: 'provider' }, from)}), ${eventExpressions('event_row')}`;

const FRAUD_EVENTS = {
  decided: { name: `'transaction.anti-fraud-decided'` },
  reviewed: {
    name: `CASE c.fraud_review WHEN 'accepted' THEN 'transaction.review-accepted' ELSE 'transaction.review-rejected' END`,
  },
} as const satisfies Record<string, ClaimEvent>;

const IS_AUTHENTICATED = `c.three_d_secure ->> 'status' = 'complete'`;

const AUTHENTICATION_EVENTS = {
  started: {
    name: `CASE c.status WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending' ELSE 'transaction.authenticated' END`,
    when: `(c.status = 'buyer_approval_pending' OR ${IS_AUTHENTICATED})`,
  },
  concluded: { name: `'transaction.authenticated'`, when: IS_AUTHENTICATED },
} as const satisfies Record<string, ClaimEvent>;

const eventRow = ({ name, when, origin = 'requested' }: ClaimEvent, from: string): string => `
  SELECT c.merchant_account_id, @eventA::uuid AS event_id, ${name} AS event_name,
    'transaction' AS target_type, c.id::text AS target_id, @now::timestamptz AS created_at,
    ${envelopeExpression({ id: '@eventA::uuid', name, account: 'c.merchant_account_id', target: transactionOf(origin) })} AS payload
  FROM ${from}${when ? ` WHERE ${when}` : ''}`;
