import type { App } from '../../../app.ts';
import { environmentOf } from '../../../platform/process/config.ts';
import { queryIn, type Db } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { smallestAmountOf } from '../../payment-services/index.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { bookOperation } from './book.sql.ts';
import type { ElsewhereFinding, ElsewhereGiven, MadeElsewhere, ReportSource } from './made-elsewhere.ts';
import { rematchSoon } from './rematch.ts';
import { decideElsewhere } from './rules.ts';
import { lockReported, readReported, type ReportedId, type ReportedPayment } from './subject.sql.ts';

/** The payment and the payment service that a report is about. */
export type About = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly paymentServiceId: string;
};

/**
 * The rows after a report of an operation that was made elsewhere.
 *
 * - `waits`: an operation under way decides first.
 * - `decided`: `operation` is null if nothing was booked.
 */
export type BookResult = { readonly transaction: Transaction } & (
  | { readonly kind: 'waits' }
  | {
      readonly kind: 'decided';
      readonly operation: Operation | null;
      readonly changed: boolean;
      readonly finding: ElsewhereFinding | null;
    }
);

type Told = {
  readonly made: MadeElsewhere;
  readonly source?: ReportSource;
  readonly isLate: boolean;
  readonly isSure?: boolean;
  readonly operationId?: string;
};

type Report = {
  readonly isSure: boolean;
  readonly made: MadeElsewhere;
  readonly source: ReportSource | null;
  readonly given: Omit<ElsewhereGiven, 'mayBeOurs' | 'unit'> & {
    readonly methodEventIds: readonly [string, string];
  };
};

/**
 * Books an operation that was made at the provider without a request from here. Commits once: the operation, amounts, ledger,
 * events and history. Decides on the current state, and after a conflict once more under the lock. The provider's id of the
 * operation is booked once, so a second report changes nothing. A crash leaves nothing or the whole booking.
 *
 * - `isLate`: an outcome that could explain the operation had its time, so the operation is booked as it stands.
 * - `source`: the report that lists a finding about the booking, in the same commit. Absent: no finding is listed.
 * - `isSure`: a person says that the operation is none of ours.
 * - `operationId`: our id of the booked operation, by which a repeat finds it. Absent: a new one.
 */
export async function bookElsewhere(
  app: App,
  about: About,
  { made, isLate, source, isSure = false, operationId = app.ids.uuid() }: Told,
): Promise<BookResult> {
  const id = reportedId(about, made, operationId);
  const report = { made, isSure, source: source ?? null, given: givenOf(app, isLate, operationId) };
  await failpoint('elsewhere.booking');
  const result =
    (await tryOn(app, app.db, await readReported(app.db, id), report)) ??
    (await app.db.transaction(async (tx) => tryUnderLock(app, queryIn(tx), id, report)));
  if (!result) throw new Error(`Payment ${about.transactionId} changed under its lock`);
  await failpoint('elsewhere.booked');
  if (result.kind === 'decided' && result.changed) {
    app.wakeRelay();
    await rematchSoon(app, about);
  }
  return result;
}

/** Names the payment of a report, and the reported operation, for a read of the payment. */
export const reportedId = (
  { merchantAccountId, transactionId, paymentServiceId }: About,
  { kind, reference, total, money, lostKey }: MadeElsewhere,
  operationId: string,
): ReportedId => ({
  ...{ account: merchantAccountId, transaction: transactionId, service: paymentServiceId },
  operation: operationId,
  ...{ kind, reference, lostKey: lostKey ?? null, amount: total ? null : (money?.amount ?? null) },
});

const tryUnderLock = async (
  app: App,
  db: Pick<Db, 'query'>,
  id: ReportedId,
  report: Report,
): Promise<BookResult | null> => tryOn(app, db, await lockReported(db, id), report);

/** Returns the facts of a booking at this moment, with new ids beside that of the operation. */
export const givenOf = (app: App, isLate: boolean, operationId: string): Report['given'] => ({
  now: app.clock.now(),
  operationId,
  ledgerIds: [app.ids.uuid(), app.ids.uuid()],
  eventIds: [app.ids.uuid(), app.ids.uuid()],
  historyId: app.ids.uuid(),
  methodEventIds: [app.ids.uuid(), app.ids.uuid()],
  isLate,
});

/** Returns the smallest amount that the provider of a report can express, in minor units. */
export const unitAt = (app: App, { service, transaction }: ReportedPayment): number =>
  smallestAmountOf(app, { definitionId: service.definitionId, currency: transaction.currency });

/** Decides and books. Null means that the state was not current. */
async function tryOn(
  app: App,
  db: Pick<Db, 'query'>,
  payment: ReportedPayment | null,
  { made, given, isSure, source }: Report,
): Promise<BookResult | null> {
  if (!payment) throw new Error('The payment of a report is gone');
  const { transaction, isBooked } = payment;
  const nothing = { kind: 'decided', transaction, operation: null, changed: false } as const;
  if (isBooked) return { ...nothing, finding: null };
  // No person is surer than the id.
  const mayBeOurs = payment.isOurs || (payment.mayBeOurs && !isSure);
  const verdict = decideElsewhere(payment, made, { ...given, mayBeOurs, unit: unitAt(app, payment) });
  if (verdict.kind === 'waits') return { kind: 'waits', transaction };
  if (verdict.kind === 'none') return { ...nothing, finding: verdict.finding };
  const { methodEventIds } = given;
  const listed = source && verdict.finding ? { id: app.ids.uuid(), source, finding: verdict.finding } : null;
  const context = { environment: environmentOf(app.config), methodEventIds, isSure, listed };
  const written = await bookOperation(db, payment, verdict.changes, context);
  return written && { ...written, kind: 'decided', changed: true, finding: verdict.finding };
}
