import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import { toOperation, toTransaction, type JsonRow } from '../../rows/rows.sql.ts';
import type { Operation } from '../../model/operation.ts';
import type { Transaction } from '../../model/transaction.ts';
import type { Place } from '../passes.ts';
import type { Proof } from '../proof.ts';

/** The sweep of one payment service. */
export type Sweep = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  /** The place for each age of `AGES_MS`. */
  readonly places: readonly Place[];
  /** The comparison after the last restore. Null before a restore. */
  readonly proof: Proof | null;
};

const addStatement = prepareFile(import.meta, 'add-books-sweeps.sql');

const claimStatement = prepareFile(import.meta, 'claim-books-sweeps.sql');

export type SweepClaim = {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** The definitions whose connectors read books. */
  readonly definitions: readonly string[];
  /** The places of a payment service without a sweep. */
  readonly first: readonly Place[];
};

/** Claims the sweeps that are due, of every merchant account, oldest first. Other processes leave them until the lease ends. */
export async function claimSweeps(db: Db, claim: SweepClaim): Promise<readonly Sweep[]> {
  const { now, leaseUntil, limit, definitions, first } = claim;
  await db.query(addStatement({ now, definitions, places: JSON.stringify(first) }));
  return await db.query<Sweep>(claimStatement({ now, leaseUntil, limit, definitions }));
}

const keepStatement = prepareFile(import.meta, 'keep-books-sweep.sql');

/** Records how far a sweep has come, and when it goes on. Changes nothing after the end of `lease` if another process goes on. */
export async function keepSweep(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Sweep,
  { places, proof, nextAt, lease }: Kept,
): Promise<void> {
  const progress = { places: JSON.stringify(places), proof: proof && JSON.stringify(proof) };
  await db.query(keepStatement({ account, service, ...progress, nextAt, lease }));
}

type Kept = Pick<Sweep, 'places' | 'proof'> & { readonly nextAt: Date; readonly lease: Date };

/** A payment with its operations at the payment service. */
export type SweptPayment = { readonly transaction: Transaction; readonly operations: readonly Operation[] };

const nextStatement = prepareFile(import.meta, 'next-payments-of-sweep.sql');

/** Reads the next open payments of a payment service behind a place, oldest first, that were created by `until`. */
export async function nextPayments(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Sweep,
  { at, id }: Place,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<readonly SweptPayment[]> {
  const rows = await db.query<SweptRow>(nextStatement({ account, service, at, id, until, limit }));
  return rows.map(toSwept);
}

const toProveStatement = prepareFile(import.meta, 'next-payments-of-proof.sql');

/** Reads the next open payments of a payment service before a place, newest first, that were created since `since`. */
export async function paymentsToProve(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Sweep,
  { at, id }: Place,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<readonly SweptPayment[]> {
  const rows = await db.query<SweptRow>(toProveStatement({ account, service, at, id, since, limit }));
  return rows.map(toSwept);
}

const changedStatement = prepareFile(import.meta, 'next-payments-changed.sql');

/** Reads the next open payments of a payment service that changed behind a place and by `until`, oldest change first. */
export async function changedPayments(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service }: Sweep,
  { at, id }: Place,
  { since, until, limit }: { readonly since: Date; readonly until: Date; readonly limit: number },
): Promise<readonly SweptPayment[]> {
  const rows = await db.query<SweptRow>(changedStatement({ account, service, at, id, since, until, limit }));
  return rows.map(toSwept);
}

/** A row of a read of payments. */
export type SweptRow = { readonly transaction: JsonRow; readonly operations: readonly JsonRow[] };

/** Maps a row to a payment. */
export const toSwept = ({ transaction, operations }: SweptRow): SweptPayment => ({
  transaction: toTransaction(transaction),
  operations: operations.map(toOperation),
});
