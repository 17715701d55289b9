import { fromJsonRow, type JsonRow } from '../../../platform/json-row.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Operation } from './operation.ts';
import type { Transaction } from './transaction.ts';

export { toColumn, type JsonRow } from '../../../platform/json-row.ts';

/** The same mapping for a row just written and for one that an idempotency key stored as text. */
export const toTransaction = (row: JsonRow): Transaction => fromJsonRow(row) as Transaction;
export const toOperation = (row: JsonRow): Operation => fromJsonRow(row) as Operation;
export const toHistoryEntry = (row: JsonRow): HistoryEntry => fromJsonRow(row) as HistoryEntry;
