import type { Operation } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, type Ask } from '../../app/data/pages.ts';

const OPEN = {
  ...{ id: true, kind: true, amount: true, currency: true, status: true, createdAt: true },
  ...{ transactionId: true, paymentServiceKey: true, paymentServiceReference: true },
  unknown: { cause: true, since: true, nextAttemptAt: true },
  paymentService: { displayName: true },
} as const;

/** An operation whose outcome is unknown. */
export type Unresolved = Answer<Operation, typeof OPEN>;

/** Reads a page of the operations whose outcome is unknown, newest first. */
export async function readUnresolved({ after, signal }: Ask) {
  const wanted = [{ first: 25, after }, pageOf(OPEN)] as const;
  return rowsOf((await api.query({ unresolvedOperations: wanted }, { signal })).unresolvedOperations);
}
