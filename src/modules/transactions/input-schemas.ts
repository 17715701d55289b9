import type { App } from '../../app.ts';
import type { InputSchemas } from '../../platform/input/input-limits.ts';
import { captureInput, createTransactionInput, increaseInput, refundInput } from './input/inputs.ts';
import { transactionFilter } from './read/filter.ts';
import { updateInput } from './update/update.ts';

/** The schemas that check this module's inputs, by the names of their types in the contract. */
export const transactionInputSchemas = (app: App): InputSchemas => ({
  CreateTransactionInput: createTransactionInput(app).ever,
  UpdateTransactionInput: updateInput,
  CaptureInput: captureInput,
  RefundInput: refundInput,
  IncreaseAuthorizationInput: increaseInput,
  TransactionFilter: transactionFilter,
});
