import type { Answer } from '../../../client/operations/selection.ts';
import type { Operation, ResolveOperationInput } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

const OPEN = {
  ...{ id: true, kind: true, amount: true, currency: true, status: true, createdAt: true },
  ...{ transactionId: true, paymentServiceKey: true, paymentServiceReference: true },
  unknown: { cause: true, since: true, nextAttemptAt: true },
  paymentService: { displayName: true },
} as const;

/** An operation whose outcome is unknown. */
export type Unresolved = Answer<Operation, typeof OPEN>;

/** Reads a page of the operations whose outcome is unknown, newest first. */
export async function readUnresolved(after: string | null, signal: AbortSignal): Promise<Rows<Unresolved>> {
  const { unresolvedOperations } = await api.query(
    {
      unresolvedOperations: [
        { first: 25, after },
        { nodes: OPEN, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(unresolvedOperations);
}

/** Records the outcome that a person found at the provider. A repeated request changes nothing. */
export async function resolveOperation(id: string, input: ResolveOperationInput): Promise<void> {
  await api.mutate({ resolveOperation: [{ id, input }, { transactionId: true }] });
}

const ANSWERED = { id: true, kind: true, amount: true, currency: true, status: true } as const;

/** Asks the provider about all pending operations of a payment. Answers the operations, with their present status. */
export async function syncPayment(id: string) {
  const { syncTransaction } = await api.mutate({
    syncTransaction: [{ id }, { operations: { ...ANSWERED, unknown: { cause: true } } }],
  });
  return syncTransaction.operations;
}

/** The operations that a provider was asked about. */
export type Answered = Awaited<ReturnType<typeof syncPayment>>;
