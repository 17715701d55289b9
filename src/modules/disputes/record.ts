import type { App } from '../../app.ts';
import type { Tx } from '../../platform/database/db.ts';
import { failpoint } from '../../platform/failpoint.ts';
import type { Dispute } from './dispute.ts';
import { recordDisputeEvents, type CausingResponse } from './event.ts';
import { decideDispute, type DisputeFinding, type Reported, type Verdict } from './record-rules.ts';
import {
  bookDispute,
  changeDispute,
  insertDispute,
  lockDisputedPayment,
  markDisputed,
  readLossOperation,
  readReportedDispute,
} from './store.ts';

/** The payment and the payment service of a report. `operationId`: the operation to book a loss to, if one succeeded. */
export type DisputeSubject = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly operationId: string | null;
  readonly paymentServiceId: string;
};

/** The record after a report. `waits`: an outcome under way decides first. */
export type RecordedDispute =
  | { readonly kind: 'waits' }
  | {
      readonly kind: 'decided';
      /** The dispute's id. Null when the report is about another payment's dispute. */
      readonly disputeId: string | null;
      readonly changed: boolean;
      readonly finding: DisputeFinding | null;
    };

/**
 * Records a provider's report of a dispute, under the lock of its payment. Commits once: the dispute, the ledger, the
 * payment's counts and the events. A report that is known or too old changes nothing, so a repeat after a crash is
 * harmless.
 */
export async function recordDispute(
  app: App,
  subject: DisputeSubject,
  reported: Reported,
): Promise<RecordedDispute> {
  await failpoint('disputes.recording');
  const recorded = await app.db.transaction((tx) => recordIn(app, tx, subject, reported));
  await failpoint('disputes.recorded');
  if (recorded.kind === 'decided' && recorded.changed) app.wakeRelay();
  return recorded;
}

async function recordIn(
  app: App,
  tx: Tx,
  subject: DisputeSubject,
  reported: Reported,
): Promise<RecordedDispute> {
  const { merchantAccountId, transactionId, paymentServiceId } = subject;
  const payment = await lockDisputedPayment(tx, merchantAccountId, transactionId);
  if (!payment) throw new Error('The payment of a dispute is gone');
  const name = { merchantAccountId, paymentServiceId, providerReference: reported.disputeReference };
  const before = await readReportedDispute(tx, name);
  if (before && before.transactionId !== transactionId)
    return { kind: 'decided', disputeId: null, changed: false, finding: 'other_payment' };
  // The payment may have succeeded since the report was matched.
  const known = before?.operationId ?? subject.operationId;
  const operationId = await readLossOperation(tx, { ...subject, operationId: known });
  const verdict = decideDispute({ before, payment, operationId }, reported);
  if (verdict.kind === 'waits') return verdict;
  const { finding } = verdict;
  if (verdict.kind === 'none')
    return { kind: 'decided', disputeId: before?.id ?? null, changed: false, finding };
  const written = await writeReport(app, tx, {
    ...{ before, subject: { ...subject, operationId }, reported, verdict },
    ...{ currency: payment.currency, response: null },
  });
  return { kind: 'decided', disputeId: written.id, changed: true, finding };
}

type Changes = Extract<Verdict, { readonly kind: 'changes' }>;

type Write = {
  readonly before: Dispute | null;
  readonly subject: DisputeSubject;
  readonly reported: Reported;
  readonly verdict: Changes;
  /** The currency of the payment. */
  readonly currency: string;
  /** The merchant's response that the report stands for. Null for a report of the provider. */
  readonly response: CausingResponse | null;
};

/** Writes a decided report: the dispute, its effect on the payment, and its events. The caller holds the payment's lock. */
export async function writeReport(
  app: App,
  tx: Tx,
  { before, subject, reported, verdict, currency, response }: Write,
): Promise<Dispute> {
  const { patch, opened, entry, events } = verdict;
  const now = app.clock.now();
  const { operationId } = subject;
  const written = before
    ? await changeDispute(tx, before, { ...patch, operationId, ...(events.length > 0 && { updatedAt: now }) })
    : await insertDispute(tx, {
        ...{ ...subject, ...patch, id: app.ids.uuid(), createdAt: now, updatedAt: now },
        providerReference: reported.disputeReference,
      });
  await markDisputed(tx, written);
  await bookDispute(tx, written, {
    ...{ opened, currency, now },
    entry: entry && { ...entry, id: app.ids.uuid() },
  });
  await recordDisputeEvents(app, tx, { dispute: written, response, events, now });
  return written;
}
