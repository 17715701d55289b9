import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { BELOW, ids, MERCHANT, NOW, ROWS, type Row } from './constraint-rows.ts';
import { JOB_REFUSALS } from './job-refusals.ts';
import { REFUND_APPROVAL_REFUSALS } from './refund-approval-refusals.ts';
import { GIFT_CARD_REFUSALS } from './gift-card-refusals.ts';
import { PEOPLE_REFUSALS } from './people-refusals.ts';
import { PROJECTION_REFUSALS } from './projection-refusals.ts';
import { SETTLEMENT_REFUSALS } from './settlement-refusals.ts';
import { SPLITS_REFUSALS } from './splits-refusals.ts';

type Table = keyof typeof ROWS;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `INSERT INTO merchant_account (id, display_name, created_at, updated_at) VALUES ($1, 'Default', $2, $2)`,
    [MERCHANT, NOW],
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

// The next test's beginning rolls back the rows of a test.
beforeEach(async () => {
  await client.query('ROLLBACK');
  await client.query('BEGIN');
});

async function insert(table: Table, changes: Row = {}): Promise<void> {
  const row: Row = { ...ROWS[table], ...changes };
  const columns = Object.keys(row);
  const values = columns.map((_, index) => `$${index + 1}`);
  await client.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`,
    Object.values(row),
  );
}

/** Returns the name of the constraint that refuses the row, or its error code. Null when the row is accepted. */
async function refusedBy(table: Table, changes: Row = {}): Promise<string | null> {
  for (const below of BELOW[table] ?? []) await insert(below);
  return await insert(table, changes).then(() => null, constraintOf);
}

const constraintOf = (error: unknown): string | null =>
  error instanceof pg.DatabaseError ? (error.constraint ?? error.code ?? null) : String(error);

describe('the tables accept', () => {
  it.each(Object.keys(ROWS) as Table[])('a valid row of %s', async (table) => {
    expect(await refusedBy(table)).toBeNull();
  });

  it.each<readonly [string, Row]>([
    ['everything captured and refunded', { captured_amount: 1299, refunded_amount: 1299 }],
    [
      'a capture and refunds under way',
      { captured_amount: 1000, capture_pending_amount: 299, refund_pending_amount: 1000 },
    ],
    [
      'the largest amount',
      { amount: 99_999_999, authorized_amount: 99_999_999, captured_amount: 99_999_999 },
    ],
    ['a zero amount', { amount: 0, authorized_amount: 0 }],
    ['a void under way', { void_pending: true }],
    [
      'as much captured as the merchant account allowed',
      { captured_amount: 1300, capture_pending_amount: 49, over_capture_allowance: 50 },
    ],
    ['instalments and an amount to authenticate', { installment_count: 100, three_d_secure_amount: 1299 }],
    ['a void', { status: 'authorization_voided' }],
    ['no country', { country: null }],
  ])('a transaction with %s', async (_, changes) => {
    expect(await refusedBy('transaction', changes)).toBeNull();
  });
});

const JUDGED = { anti_fraud_service_id: ids.judge, anti_fraud_decision: 'review' };

describe('a transaction with an anti-fraud decision is accepted', () => {
  it.each<readonly [string, Row]>([
    ['before it is judged', { anti_fraud_decision: 'pending', status: 'processing', authorized_amount: 0 }],
    ['with an open review', { fraud_review: 'pending', authorized_at: NOW }],
    ['captured when a review has accepted it', { fraud_review: 'accepted', captured_amount: 1299 }],
    ['captured at once when it was accepted', { anti_fraud_decision: 'accept', captured_amount: 1299 }],
  ])('%s', async (_, changes) => {
    await insert('anti_fraud_service');
    expect(await refusedBy('transaction', { ...JUDGED, ...changes })).toBeNull();
  });
});

const AMOUNTS = [
  'amount',
  'authorized_amount',
  'capture_pending_amount',
  'captured_amount',
  'refund_pending_amount',
  'refunded_amount',
];

describe('the tables refuse', () => {
  it.each(AMOUNTS)('a negative %s', async (column) => {
    expect(await refusedBy('transaction', { [column]: -1 })).toBe('transaction_amounts_check');
  });

  it.each(AMOUNTS)('a %s above 99 999 999', async (column) => {
    // The other amounts leave room, so this rule alone is broken.
    const room = { authorized_amount: 99_999_999, [column]: 100_000_000 };
    expect(await refusedBy('transaction', room)).toBe('transaction_amounts_check');
  });

  it.each<readonly [string, Table, Row, string]>([
    ['more captured than authorised', 'transaction', { captured_amount: 1300 }, 'transaction_captured_check'],
    [
      'a capture under way beyond the rest',
      'transaction',
      { captured_amount: 1000, capture_pending_amount: 300 },
      'transaction_captured_check',
    ],
    [
      'more captured than the merchant account allowed',
      'transaction',
      { captured_amount: 1300, capture_pending_amount: 50, over_capture_allowance: 50 },
      'transaction_captured_check',
    ],
    ['a negative allowance', 'transaction', { over_capture_allowance: -1 }, 'transaction_over_capture_check'],
    [
      'an allowance above 99 999 999',
      'transaction',
      { over_capture_allowance: 100_000_000 },
      'transaction_over_capture_check',
    ],
    ['no instalments', 'transaction', { installment_count: 0 }, 'transaction_installment_count_check'],
    ['101 instalments', 'transaction', { installment_count: 101 }, 'transaction_installment_count_check'],
    [
      'less authenticated than paid',
      'transaction',
      { three_d_secure_amount: 1298 },
      'transaction_three_d_secure_amount_check',
    ],
    [
      'an unknown client',
      'transaction',
      { integration_client: 'tv' },
      'transaction_integration_client_check',
    ],
    [
      'more refunded than captured',
      'transaction',
      { captured_amount: 1000, refunded_amount: 1001 },
      'transaction_refunded_check',
    ],
    [
      'a refund under way beyond the rest',
      'transaction',
      { captured_amount: 1000, refunded_amount: 600, refund_pending_amount: 401 },
      'transaction_refunded_check',
    ],
    [
      'more refunded than was ever captured',
      'transaction',
      { captured_amount: 300, capture_reversed_amount: 700, refunded_amount: 1001 },
      'transaction_refunded_check',
    ],
    [
      'a negative reversal',
      'transaction',
      { captured_amount: 10, capture_reversed_amount: -1 },
      'transaction_reversed_check',
    ],
    [
      'an expired authorisation that stays open',
      'transaction',
      { status: 'authorization_voided', expired_at: new Date() },
      'transaction_expired_check',
    ],
    [
      'a refund of what is only authorised',
      'transaction',
      { refund_pending_amount: 1 },
      'transaction_refunded_check',
    ],
    [
      'a void under way beside a capture',
      'transaction',
      { void_pending: true, captured_amount: 1 },
      'transaction_void_pending_check',
    ],
    [
      'a void under way beside one under way',
      'transaction',
      { void_pending: true, capture_pending_amount: 1 },
      'transaction_void_pending_check',
    ],
    [
      'a void beside a capture',
      'transaction',
      { status: 'authorization_voided', captured_amount: 1 },
      'transaction_voided_check',
    ],
    [
      'a void beside a capture under way',
      'transaction',
      { status: 'authorization_voided', capture_pending_amount: 1 },
      'transaction_voided_check',
    ],
    ['an unknown status', 'transaction', { status: 'authorized' }, 'transaction_status_check'],
    ['an unknown intent', 'transaction', { intent: 'void' }, 'transaction_intent_check'],
    [
      'an unknown outcome of the intent',
      'transaction',
      { intent_outcome: 'declined' },
      'transaction_intent_outcome_check',
    ],
    [
      'an unknown payment source',
      'transaction',
      { payment_source: 'shop' },
      'transaction_payment_source_check',
    ],
    [
      'an unknown instrument',
      'transaction',
      { instrument_type: 'iban' },
      'transaction_instrument_type_check',
    ],
    [
      'a bank payment without its account',
      'transaction',
      { instrument_type: 'bank' },
      'transaction_bank_check',
    ],
    ['the account of no bank payment', 'transaction', { bank: '{}' }, 'transaction_bank_check'],
    ['a currency in small letters', 'transaction', { currency: 'usd' }, 'transaction_currency_check'],
    ['a currency with more behind it', 'transaction', { currency: 'USD\n' }, 'transaction_currency_check'],
    ['a country of three letters', 'transaction', { country: 'USA' }, 'transaction_country_check'],
    [
      'a transaction of no merchant account',
      'transaction',
      { merchant_account_id: 'other' },
      'transaction_merchant_account_id_fkey',
    ],
    ...GIFT_CARD_REFUSALS,
    ['an unknown rule', 'anti_fraud_service', { fallback: 'maybe' }, 'anti_fraud_service_fallback_check'],
    [
      'a decision of nobody',
      'transaction',
      { anti_fraud_decision: 'accept' },
      'transaction_anti_fraud_check',
    ],
    [
      'an unknown decision',
      'transaction',
      { ...JUDGED, anti_fraud_decision: 'maybe' },
      'transaction_anti_fraud_decision_check',
    ],
    [
      'a review of what was accepted',
      'transaction',
      { ...JUDGED, anti_fraud_decision: 'accept', fraud_review: 'pending' },
      'transaction_fraud_review_check',
    ],
    [
      'an authorisation before it is judged',
      'transaction',
      { ...JUDGED, anti_fraud_decision: 'pending', authorized_at: NOW },
      'transaction_judged_check',
    ],
    [
      'an authorisation of what was rejected',
      'transaction',
      { ...JUDGED, anti_fraud_decision: 'reject', authorized_at: NOW },
      'transaction_judged_check',
    ],
    [
      'an authorisation that is to be reviewed and is not held',
      'transaction',
      { ...JUDGED, authorized_at: NOW },
      'transaction_judged_check',
    ],
    [
      'a capture while a review is open',
      'transaction',
      { ...JUDGED, fraud_review: 'pending', capture_pending_amount: 1 },
      'transaction_held_check',
    ],
    [
      'a capture of what a review has rejected',
      'transaction',
      { ...JUDGED, fraud_review: 'rejected', captured_amount: 1 },
      'transaction_held_check',
    ],
    ['a notice in an unknown state', 'inbound_review', { state: 'lost' }, 'inbound_review_state_check'],
    ['a notice of no check', 'inbound_review', { check_key: null }, 'inbound_review_check_check'],
    ['more refunded than redeemed', 'redemption', { refunded_amount: 301 }, 'redemption_refunded_check'],
    [
      'refunds under way beyond the rest',
      'redemption',
      { refunded_amount: 100, refund_pending_amount: 201 },
      'redemption_refunded_check',
    ],
    [
      'a refund of what is given back anyway',
      'redemption',
      { status: 'reversing', refund_pending_amount: 1 },
      'redemption_refunded_check',
    ],
    ['a redemption of nothing', 'redemption', { amount: 0 }, 'redemption_amount_check'],
    ['a redemption in no currency', 'redemption', { currency: 'usd' }, 'redemption_currency_check'],
    ['an eleventh redemption', 'redemption', { ordinal: 10 }, 'redemption_ordinal_check'],
    ['a redemption of an unknown status', 'redemption', { status: 'taken' }, 'redemption_status_check'],
    ['a PIN that is kept too long', 'redemption', { sealed_card: 'v1' }, 'redemption_sealed_check'],
    ['a redemption that cannot be asked for', 'redemption', { status: 'pending' }, 'redemption_sealed_check'],
    [
      'a capture of a gift card',
      'operation',
      { redemption_id: ids.redemption },
      'operation_redemption_check',
    ],
    ['a redemption of none', 'operation', { kind: 'redeem' }, 'operation_redemption_check'],
    ['an operation of a negative amount', 'operation', { amount: -1 }, 'operation_amount_check'],
    ['an operation above 99 999 999', 'operation', { amount: 100_000_000 }, 'operation_amount_check'],
    ['an operation in no currency', 'operation', { currency: '' }, 'operation_currency_check'],
    ['an operation of an unknown kind', 'operation', { kind: 'sale' }, 'operation_kind_check'],
    ['an operation of an unknown status', 'operation', { status: 'unknown' }, 'operation_status_check'],
    [
      'an operation on another merchant account',
      'operation',
      { merchant_account_id: 'other' },
      'operation_merchant_account_id_transaction_id_fkey',
    ],
    [
      'an operation on an unknown transaction',
      'operation',
      { transaction_id: randomUUID() },
      'operation_merchant_account_id_transaction_id_fkey',
    ],
    [
      'an operation at an unknown payment service',
      'operation',
      { payment_service_id: randomUUID() },
      'operation_merchant_account_id_payment_service_id_fkey',
    ],
    ['an authorisation that nobody chose', 'operation', { kind: 'authorize' }, 'operation_choice_check'],
    ['a capture that somebody chose', 'operation', { choice: 'first' }, 'operation_choice_check'],
    ['an unknown choice', 'operation', { kind: 'authorize', choice: 'last' }, 'operation_choice_check'],
    [
      'history of an unknown transaction',
      'history_entry',
      { transaction_id: randomUUID() },
      'history_entry_merchant_account_id_transaction_id_fkey',
    ],
    ['a ledger entry of a negative amount', 'ledger_entry', { amount: -1 }, 'ledger_entry_amount_check'],
    ['a ledger entry above 99 999 999', 'ledger_entry', { amount: 100_000_000 }, 'ledger_entry_amount_check'],
    ['a ledger entry in no currency', 'ledger_entry', { currency: 'U$D' }, 'ledger_entry_currency_check'],
    ['a ledger entry of an unknown kind', 'ledger_entry', { kind: 'fee' }, 'ledger_entry_kind_check'],
    [
      'a loss without a name',
      'ledger_entry',
      { kind: 'dispute_loss', reversal_key: '' },
      'ledger_entry_reversal_check',
    ],
    ['a dispute of an unknown stage', 'dispute', { stage: 'second' }, 'dispute_stage_check'],
    ['a dispute of an unknown status', 'dispute', { status: 'open' }, 'dispute_status_check'],
    ['a dispute of an unknown reason', 'dispute', { reason: 'regret' }, 'dispute_reason_check'],
    ['a dispute of nothing', 'dispute', { amount: 0 }, 'dispute_amount_check'],
    ['a dispute in no currency', 'dispute', { currency: 'U$D' }, 'dispute_currency_check'],
    ['a negative loss', 'dispute', { lost_amount: -1 }, 'dispute_lost_check'],
    ['a loss of no operation', 'dispute', { operation_id: null }, 'dispute_lost_check'],
    ['a loss that no stage decided', 'dispute', { decided_stage: null }, 'dispute_decided_check'],
    ['a decision of an unknown stage', 'dispute', { decided_stage: 'second' }, 'dispute_decided_check'],
    [
      'more lost than was ever captured',
      'transaction',
      { captured_amount: 300, capture_reversed_amount: 700, dispute_lost_amount: 1001 },
      'transaction_disputes_check',
    ],
    ['an unknown response', 'dispute_response', { kind: 'silence' }, 'dispute_response_kind_check'],
    ['a response in no stage', 'dispute_response', { stage: 'second' }, 'dispute_response_stage_check'],
    ['lost evidence', 'dispute_response', { sealed_evidence: null }, 'dispute_response_sealed_check'],
    [
      'a pending response that nobody sends again',
      'dispute_response',
      { next_attempt_at: null },
      'dispute_response_status_check',
    ],
    [
      'a failed response without a code',
      'dispute_response',
      { status: 'failed', next_attempt_at: null, settled_at: NOW, sealed_evidence: null },
      'dispute_response_status_check',
    ],
    [
      'evidence that is kept after its end',
      'dispute_response',
      { status: 'succeeded', next_attempt_at: null, settled_at: NOW },
      'dispute_response_sealed_check',
    ],
    ...SETTLEMENT_REFUSALS,
    ...SPLITS_REFUSALS,
    ...JOB_REFUSALS,
    ...REFUND_APPROVAL_REFUSALS,
    ...PEOPLE_REFUSALS,
    ...PROJECTION_REFUSALS,
    ['a negative count of disputes', 'transaction', { open_disputes: -1 }, 'transaction_disputes_check'],
    [
      'a payment service of an unknown status',
      'payment_service',
      { status: 'verified' },
      'payment_service_status_check',
    ],
    ['a key of an unknown algorithm', 'api_key_pair', { algorithm: 'none' }, 'api_key_pair_algorithm_check'],
    [
      'an endpoint in an unknown state',
      'webhook_endpoint',
      { state: 'broken' },
      'webhook_endpoint_state_check',
    ],
    [
      'an endpoint with an unknown form of bodies',
      'webhook_endpoint',
      { body_format: 'xml' },
      'webhook_endpoint_body_format_check',
    ],
    ['a delivery in an unknown state', 'delivery', { state: 'sent' }, 'delivery_state_check'],
  ])('%s', async (_, table, changes, constraint) => {
    expect(await refusedBy(table, changes)).toBe(constraint);
  });

  it('a second reversal of a redemption, however the first has ended', async () => {
    const changes = { kind: 'unredeem', redemption_id: ids.redemption, status: 'failed' };
    expect(await refusedBy('redemption')).toBeNull();
    await insert('operation', changes);
    await expect(insert('operation', { ...changes, id: randomUUID() })).rejects.toThrow(
      'operation_one_unredeem_key',
    );
  });

  it('a second effect of one kind of one operation in the ledger', async () => {
    expect(await refusedBy('ledger_entry')).toBeNull();
    await expect(insert('ledger_entry', { id: randomUUID() })).rejects.toThrow(
      'ledger_entry_merchant_account_id_operation_id_kind_reversal_key',
    );
  });

  it('a second response to a dispute whose outcome is not known', async () => {
    expect(await refusedBy('dispute_response')).toBeNull();
    await expect(insert('dispute_response', { id: randomUUID() })).rejects.toThrow(
      'dispute_response_pending_key',
    );
  });

  it.each([
    ['void', 'cancel'],
    ['cancel', 'void'],
  ])('a %s beside a %s', async (kind, other) => {
    expect(await refusedBy('operation', { kind: other })).toBeNull();
    await expect(insert('operation', { kind, id: randomUUID() })).rejects.toThrow(
      'operation_one_release_key',
    );
  });

  describe.each([
    ['void', { kind: 'void' }, 'operation_one_void_key'],
    ['cancel', { kind: 'cancel' }, 'operation_one_cancel_key'],
    ['authorisation', { kind: 'authorize', choice: 'first' }, 'operation_one_authorization_key'],
  ])('of one transaction', (kind, changes, constraint) => {
    it.each(['pending', 'succeeded'])(`a second ${kind} beside one that is %s`, async (status) => {
      expect(await refusedBy('operation', { ...changes, status })).toBeNull();
      await expect(insert('operation', { ...changes, id: randomUUID() })).rejects.toThrow(constraint);
    });

    it.each(['declined', 'failed'])(`no further ${kind} after one that %s`, async (status) => {
      expect(await refusedBy('operation', { ...changes, status })).toBeNull();
      await expect(insert('operation', { ...changes, id: randomUUID() })).resolves.toBeUndefined();
    });
  });
});

describe.each<Table>(['ledger_entry', 'history_entry', 'event'])('%s is append-only and refuses', (table) => {
  it.each([
    ['UPDATE', `UPDATE ${table} SET created_at = now()`],
    ['DELETE', `DELETE FROM ${table}`],
    ['TRUNCATE', `TRUNCATE ${table} CASCADE`],
    ['UPDATE', `UPDATE ${table} SET created_at = now() WHERE false`],
  ])('%s: %s', async (operation, statement) => {
    expect(await refusedBy(table)).toBeNull();
    await expect(client.query(statement)).rejects.toThrow(`${table} is append-only: ${operation} refused`);
  });
});
