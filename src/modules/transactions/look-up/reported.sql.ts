import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { LookUp } from '../named/look-up.ts';

/** A reported payment with the lease of a look-up. */
export type Reported = LookUp & {
  /** The number of webhooks when the look-up began. */
  readonly reports: number;
  /** The number of questions of the loop in a row without an answer. */
  readonly tries: number;
  /** The end of the lease. */
  readonly lease: Date;
  /** The time at which the loop asks next. */
  readonly laterAt: Date;
};

type Row = Omit<Reported, 'lease' | 'laterAt'>;

/** The times of a claim. */
export type ClaimTimes = { readonly now: Date; readonly leaseUntil: Date; readonly laterAt: Date };

const claimStatement = prepareFile(import.meta, 'claim-reported-payment.sql');

/** Claims a reported payment for a look-up. Null if nobody reported the payment, or another look-up has a lease. */
export async function claimReported(db: Db, lookUp: LookUp, times: ClaimTimes): Promise<Reported | null> {
  const [row] = await db.query<Row>(claimStatement({ ...keyOf(lookUp), ...times }));
  return row ? withTimes(row, times) : null;
}

const claimDueStatement = prepareFile(import.meta, 'claim-reported-payments.sql');

/** Claims the reported payments that are due, of every merchant account, oldest first. `busy`: payment services to leave out. */
export async function claimReportedDue(
  db: Db,
  times: ClaimTimes,
  bounds: { readonly limit: number; readonly busy: readonly string[] },
): Promise<readonly Reported[]> {
  const rows = await db.query<Row>(claimDueStatement({ ...times, ...bounds }));
  return rows.map((row) => withTimes(row, times));
}

const withTimes = (row: Row, { leaseUntil: lease, laterAt }: ClaimTimes): Reported => ({
  ...row,
  lease,
  laterAt,
});

const forgetStatement = prepareFile(import.meta, 'forget-reported-payment.sql');

/** Removes a payment whose provider has answered. Returns false if a webhook came meanwhile. Commits once. */
export async function forgetReported(db: Db, reported: Reported): Promise<boolean> {
  const { lease, reports } = reported;
  const rows = await db.query<{ isForgotten: boolean }>(
    forgetStatement({ ...keyOf(reported), lease, reports }),
  );
  return rows.length > 0;
}

const releaseStatement = prepareFile(import.meta, 'release-reported-payment.sql');

/** Ends the lease of a look-up, and names the next question. Commits once. */
export async function releaseReported(
  db: Db,
  reported: Reported,
  next: { readonly tries: number; readonly nextAt: Date },
): Promise<void> {
  const { lease, reports } = reported;
  await db.query(releaseStatement({ ...keyOf(reported), lease, reports, ...next }));
}

const keyOf = ({ merchantAccountId: account, paymentServiceId: service, reference }: LookUp) => ({
  account,
  service,
  reference,
});
