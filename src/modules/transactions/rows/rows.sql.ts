import type { OperationModel, TransactionModel } from '../../../platform/generated/prisma/models.ts';
import { rowReader } from '../../../platform/database/json-row.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';

export { toColumn, type JsonRow } from '../../../platform/database/json-row.ts';

// A row just written and a row stored as text with an idempotency key are read alike.
export const toTransaction = rowReader<Omit<TransactionModel, 'disputed'>, Transaction>();
export const toOperation = rowReader<
  Omit<OperationModel, 'reportValues' | 'answer' | 'position' | 'acceptedAgainAt'>,
  Operation
>();
