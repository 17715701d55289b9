import { COUNTED_MAX } from '../../../platform/database/counted-rows.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Hold } from '../hold/hold.ts';
import type { UnansweredCause } from '../sweep/compare-each.ts';
import type { Proof } from '../sweep/proof.ts';

/** The comparison at a payment service since a restore. */
export type ComparedService = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  readonly displayName: string;
  readonly definitionId: string;
  readonly isDeleted: boolean;
  /** Null before the first round. */
  readonly proof: Proof | null;
  /** The open payments that are not compared yet. At most 10 000 are counted. */
  readonly left: number;
  /** The payments that could not be compared so far, by the cause of the last try. */
  readonly unanswered: readonly Unanswered[];
};

/** Payments whose provider gave no answer. */
export type Unanswered = {
  readonly cause: UnansweredCause;
  readonly payments: number;
  /** The moment of the next try, as ISO text. Null after the last try of each. */
  readonly nextAt: string | null;
  /** The ids of the first hundred. */
  readonly transactionIds: readonly string[];
};

const servicesStatement = prepareFile(import.meta, 'count-payments-to-prove.sql');

/** Reads the payment services with payments to compare, of all merchant accounts. */
export const readCompared = (
  db: Db,
  { startedAt, paymentsSince: since }: Hold,
): Promise<readonly ComparedService[]> =>
  db.query<ComparedService>(servicesStatement({ hold: startedAt.toISOString(), since, limit: COUNTED_MAX }));

const undecidedStatement = prepareFile(import.meta, 'count-undecided.sql');

/** The operations without an outcome. At most 10 000 are counted. */
export type Undecided = {
  /** The operations that were sent, and that no provider has accepted since the start of the hold. */
  readonly unknown: number;
  /** The operations that their providers accepted since the start of the hold, for the first time or again. */
  readonly undecided: number;
  /** The moment of the first acceptance of them. Null without one. */
  readonly undecidedSince: Date | null;
  /** The payments that were not sent before the backup. Their providers may have got them since. */
  readonly unsent: number;
};

/** Counts the operations without an outcome. */
export async function countUndecided(db: Db, { startedAt }: Hold): Promise<Undecided> {
  const [row] = await db.query<Undecided>(undecidedStatement({ startedAt, limit: COUNTED_MAX }));
  return row ?? { unknown: 0, undecided: 0, undecidedSince: null, unsent: 0 };
}

const giftCardsStatement = prepareFile(import.meta, 'count-gift-card-payments.sql');

/** Counts the payments with gift cards to compare by hand. At most 10 000 are counted in each merchant account. */
export async function countGiftCardPayments(db: Db, { paymentsSince: since }: Hold): Promise<number> {
  const [row] = await db.query<{ payments: number }>(giftCardsStatement({ since, limit: COUNTED_MAX }));
  return row?.payments ?? 0;
}

const dueStatement = prepareFile(import.meta, 'make-undecided-due.sql');

/** Makes the sent operations without an outcome due. */
export const makeUndecidedDue = async (db: Db, now: Date): Promise<void> =>
  void (await db.query(dueStatement({ now })));

const reportsStatement = prepareFile(import.meta, 'count-reports-to-book.sql');

/** Counts the reports of comparisons that are not booked yet. At most 10 000 are counted. */
export async function countReports(db: Db): Promise<number> {
  const [row] = await db.query<{ reports: number }>(reportsStatement({ limit: COUNTED_MAX }));
  return row?.reports ?? 0;
}
