import type { Transaction, TransactionFilter } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api, idOf } from '../../app/data/api.ts';
import { pageOf, rowsOf, type Rows } from '../../app/data/pages.ts';

const BUYER = {
  displayName: true,
  billingDetails: { firstName: true, lastName: true, emailAddress: true },
} as const;

/** The fields of a row. Buyers need a scope of their own. */
const rowOf = (withBuyer: boolean) =>
  ({
    ...{ id: true, amount: true, currency: true, status: true, capturedAmount: true, refundedAmount: true },
    ...{ method: true, externalIdentifier: true, errorCode: true, country: true, createdAt: true },
    pendingReview: true,
    card: { scheme: true, lastFour: true },
    paymentService: { displayName: true },
    // Without the scope the field is absent, which a row shows as a guest.
    buyer: (withBuyer && BUYER) as typeof BUYER,
  }) as const;

/** A payment of the list. */
export type Row = Answer<Transaction, ReturnType<typeof rowOf>>;

/** A page of the list, newest payment first. */
export type Page = Rows<Row>;

/** The records of the first request, which fills a screen. Further ones ask for the most that the API answers. */
const PAGE = { first: 50, next: 100 } as const;

export type Question = { readonly filter: TransactionFilter; readonly withBuyer: boolean };

/** Reads a page of the list. */
export async function readPage(
  { filter, withBuyer }: Question,
  after: string | null,
  signal: AbortSignal,
): Promise<Page> {
  const wanted = { filter, first: after === null ? PAGE.first : PAGE.next, after };
  const { transactions } = await api.query({ transactions: [wanted, pageOf(rowOf(withBuyer))] }, { signal });
  return rowsOf(transactions);
}

/** Reads one payment of the list. Null if it does not match the filter any more. */
export async function readRow(
  { filter, withBuyer }: Question,
  id: string,
  signal: AbortSignal,
): Promise<Row | null> {
  const { transactions } = await api.query(
    { transactions: [{ filter: { ...filter, id }, first: 1 }, { nodes: rowOf(withBuyer) }] },
    { signal },
  );
  return transactions.nodes[0] ?? null;
}

/** Starts a file of the payments. Returns its id. The key makes a repeated start give the same file. */
export async function createFile(
  { filter, byteOrderMark }: { readonly filter: TransactionFilter; readonly byteOrderMark: boolean },
  idempotencyKey: string,
): Promise<string> {
  const input = {
    ...({ type: 'TRANSACTIONS', format: 'CSV', byteOrderMark } as const),
    filter: { transactions: filter },
  };
  const { createExport } = await api.mutate({
    createExport: [{ input, idempotencyKey }, { exportId: true }],
  });
  return idOf(createExport.exportId);
}

/** Reads the progress of a file. */
export async function readFile(id: string, signal: AbortSignal) {
  const selection = { status: true, rowsWritten: true, downloadUrl: true } as const;
  return (await api.query({ export: [{ id }, selection] }, { signal })).export;
}
