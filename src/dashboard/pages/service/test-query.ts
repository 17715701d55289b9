import type { CreateTransactionInput } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';

/** Creates a payment at one service. Returns its id. */
export async function createTestPayment(
  input: CreateTransactionInput,
  idempotencyKey: string,
): Promise<string> {
  const { createTransaction } = await api.mutate({
    createTransaction: [{ input, idempotencyKey }, { transactionId: true }],
  });
  if (createTransaction.transactionId === null) throw new Error('A payment was neither created nor refused.');
  return createTransaction.transactionId;
}

const OUTCOME = {
  ...{
    id: true,
    status: true,
    amount: true,
    currency: true,
    capturedAmount: true,
    pendingReview: true,
    refundedAmount: true,
  },
  ...{ errorCode: true, rawResponseDescription: true, approvalUrl: true, authorizedAmount: true },
  capturable: { amount: true, currency: true },
} as const;

/** Reads the present outcome of a test payment, and the meanings of codes. */
export const readOutcome = async (id: string, signal: AbortSignal) =>
  await api.query(
    {
      transaction: [{ id }, OUTCOME],
      declineCodes: { code: true, description: true, goesOn: true },
    },
    { signal },
  );
