import { fromJsonRow, type JsonRow } from '../../../platform/json-row.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Operation } from './operation.ts';
import type { Transaction } from './transaction.ts';

export { toColumn, type JsonRow } from '../../../platform/json-row.ts';

/** The mapping of a row. A row just written and a row stored as text with an idempotency key map alike. */
export const toTransaction = (row: JsonRow): Transaction => fromJsonRow(row) as Transaction;
export const toOperation = (row: JsonRow): Operation => fromJsonRow(row) as Operation;
export const toHistoryEntry = (row: JsonRow): HistoryEntry => fromJsonRow(row) as HistoryEntry;
