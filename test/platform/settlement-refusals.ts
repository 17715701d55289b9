import { NOW, type ROWS } from './constraint-rows.ts';

/** A row that the database refuses: what it is, its table, its changes, and the constraint. */
export type Refusal = readonly [
  what: string,
  table: keyof typeof ROWS,
  changes: Readonly<Record<string, unknown>>,
  constraint: string,
];

/** Settlements and sources that the database refuses, each with the constraint. */
export const SETTLEMENT_REFUSALS: readonly Refusal[] = [
  ['a settlement of an unknown kind', 'settlement', { kind: 'gift' }, 'settlement_kind_check'],
  ['a settlement whose sum is wrong', 'settlement', { net: 1270 }, 'settlement_net_check'],
  ['a charge below zero', 'settlement', { gross: -1, fee: 0, net: -1 }, 'settlement_sign_check'],
  ['a settlement in no currency', 'settlement', { currency: 'U$D' }, 'settlement_currency_check'],
  [
    'an original amount in no currency',
    'settlement',
    { original_currency: null },
    'settlement_original_check',
  ],
  ['a rate that is none', 'settlement', { exchange_rate: '1,0' }, 'settlement_rate_check'],
  [
    'an unknown difference',
    'settlement',
    { ledger_entry_id: null, difference: 'odd' },
    'settlement_difference_check',
  ],
  ['a match that differs', 'settlement', { difference: 'other_amount' }, 'settlement_match_check'],
  [
    'a charge of nothing that is no difference',
    'settlement',
    { ledger_entry_id: null },
    'settlement_matched_check',
  ],
  [
    'an explanation of no difference',
    'settlement',
    { explanation: 'Because.', explained_at: NOW },
    'settlement_explained_check',
  ],
  [
    'a settlement of an unknown kind that is no difference',
    'settlement',
    { kind: 'unknown', ledger_entry_id: null },
    'settlement_matched_check',
  ],
  [
    'an unreadable settlement with an amount',
    'settlement',
    { kind: 'unreadable', difference: 'unreadable', ledger_entry_id: null },
    'settlement_unreadable_check',
  ],
  [
    'a readable settlement that cannot be read',
    'settlement',
    { difference: 'unreadable', ledger_entry_id: null },
    'settlement_unreadable_check',
  ],
  ['a line before the first', 'settlement', { line: 0 }, 'settlement_line_check'],
  [
    'an instalment of an adjustment',
    'settlement',
    { kind: 'adjustment', difference: 'adjustment', ledger_entry_id: null, is_part: true },
    'settlement_part_check',
  ],
  [
    'an instalment of no operation',
    'settlement',
    { is_part: true, operation_id: null, ledger_entry_id: null },
    'settlement_matched_check',
  ],
  [
    'a line about no payment that is told',
    'settlement',
    { transaction_id: null, tell_at: NOW },
    'settlement_tell_check',
  ],
  ['a captured total below zero', 'settlement', { captured_total: -1 }, 'settlement_captured_total_check'],
  [
    'an unknown failure of a source',
    'settlement_source',
    { failures: 1, failure: 'odd', failed_at: NOW },
    'settlement_source_failure_check',
  ],
  [
    'a failure of a source without its moment',
    'settlement_source',
    { failures: 1, failure: 'refused' },
    'settlement_source_failed_check',
  ],
];
