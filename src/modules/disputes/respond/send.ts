import type { App } from '../../../app.ts';
import { respondToDispute } from '../../../connectors/calls/call-dispute.ts';
import type { DisputeAnswer } from '../../../connectors/interface/dispute-responses.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findConnectionRows, openCall } from '../../payment-services/index.ts';
import { recordDisputeEvents } from '../event.ts';
import { decideDispute, type DisputeFinding } from '../record-rules.ts';
import { writeReport } from '../record.ts';
import { findDispute, lockDisputedPayment, readDispute, readLossOperation } from '../store.ts';
import {
  heldUntil,
  nextResponseAt,
  nextStep,
  UNKNOWN_OUTCOME,
  type DisputeResponse,
  type Responded,
} from './response.ts';
import { changeResponse, readResponse } from './response.sql.ts';
import { recordResponse } from './history.sql.ts';
import { storeAnswer } from './replay.ts';
import { openEvidence } from './sealed-evidence.ts';

/** The answer to settle by. `held`: nothing was sent, and nothing is sent again. */
type Answer = DisputeAnswer | { readonly kind: 'held' };

/**
 * Sends a claimed response to the provider and settles it. Commits once, after the call. A response without a clear
 * answer stays pending and is sent again under the same key. Nothing goes into another stage than the first request: such a
 * response is unknown until its seven days are over. A failure before the call counts as no clear answer.
 * The loss of an acceptance may wait for the outcome of the payment. The response then stays pending and is not sent again.
 */
export async function sendResponse(app: App, response: DisputeResponse): Promise<Responded> {
  const { merchantAccountId } = response;
  const dispute = await findDispute(app.db, merchantAccountId, response.disputeId);
  if (!dispute) throw new Error('The dispute of a response is gone');
  const answer = await answerOf(app, { dispute, response });
  await failpoint('disputes.answered');
  const settled = await app.db.transaction((tx) => settleIn(app, tx, { dispute, response }, answer));
  app.wakeRelay();
  return settled;
}

async function answerOf(app: App, { dispute, response }: Responded): Promise<Answer> {
  if (response.acceptedAt !== null) return { kind: 'done' };
  const step = response.attempts === 1 ? 'send' : nextStep(response, dispute);
  if (step === 'hold') return { kind: 'held' };
  if (step === 'done') return { kind: 'done' };
  return call(app, { dispute, response }).catch((error: unknown) => {
    // The message may hold a secret, so the log names the kind of error only.
    const about = { responseId: response.id, error: error instanceof Error ? error.name : typeof error };
    app.log.error(about, 'A response to a dispute could not be sent.');
    return { kind: 'unknown', cause: 'unreadable' } as const;
  });
}

async function call(app: App, { dispute, response }: Responded): Promise<DisputeAnswer> {
  const { merchantAccountId, paymentServiceId, providerReference } = dispute;
  const { id, providerKey, stage, paymentReference, sealedEvidence } = response;
  const [connection] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!connection) throw new Error('The payment service of a dispute is gone');
  const { connector, context } = await openCall(app, merchantAccountId, connection);
  return respondToDispute(connector, context, app.log, {
    ...{ key: providerKey ?? id, stage, paymentReference, disputeReference: providerReference },
    evidence: sealedEvidence === null ? null : await openEvidence(app.vault, response, sealedEvidence),
  });
}

/** Settles under the lock of the payment. A response that ended meanwhile stays as it is. */
async function settleIn(
  app: App,
  tx: Tx,
  { dispute: { merchantAccountId, id, transactionId }, response }: Responded,
  answer: Answer,
): Promise<Responded> {
  const payment = await lockDisputedPayment(tx, merchantAccountId, transactionId);
  const before = await readResponse(tx, response);
  const dispute = await readDispute(tx, merchantAccountId, id);
  if (!payment || !before || !dispute) throw new Error('The dispute of a response is gone');
  if (before.status !== 'pending') return { dispute, response: before };
  const now = app.clock.now();
  const over = { nextAttemptAt: null, settledAt: now, sealedEvidence: null };
  if (answer.kind === 'done') {
    const waitsUntil = nextResponseAt(now, before);
    const done = await respondedIn(app, tx, { dispute, response, payment }, waitsUntil !== null);
    if (done === 'waits') {
      const acceptedAt = before.acceptedAt ?? now;
      return {
        dispute,
        response: await changeResponse(tx, before, { nextAttemptAt: waitsUntil, acceptedAt }),
      };
    }
    const succeeded = await changeResponse(tx, before, { status: 'succeeded', ...over });
    return end(app, tx, { ...done, response: succeeded });
  }
  const nextAttemptAt = nextAttempt(answer, now, before);
  if (nextAttemptAt)
    return { dispute, response: await changeResponse(tx, before, { nextAttemptAt, unclearAt: now }) };
  const errorCode = answer.kind === 'refused' ? answer.errorCode : UNKNOWN_OUTCOME;
  const failed = await changeResponse(tx, before, { status: 'failed', errorCode, ...over });
  await recordDisputeEvents(app, tx, { dispute, response: failed, events: ['updated'], now });
  return end(app, tx, { dispute, response: failed, finding: null });
}

type Ended = Responded & { readonly finding: DisputeFinding | null };

/** Writes the outcome of a response into the history of the payment, and stores the answer with its key. */
async function end(app: App, tx: Tx, { dispute, response, finding }: Ended): Promise<Responded> {
  await recordResponse(app, tx, { dispute, response, finding });
  await storeAnswer(tx, { dispute, response });
  return { dispute, response };
}

function nextAttempt({ kind }: Answer, now: Date, response: DisputeResponse): Date | null {
  if (kind === 'held') return heldUntil(now, response);
  return kind === 'unknown' ? nextResponseAt(now, response) : null;
}

type Recorded = Pick<Ended, 'dispute' | 'finding'>;

type Done = Responded & { readonly payment: NonNullable<Awaited<ReturnType<typeof lockDisputedPayment>>> };

/**
 * Records an accepted response as a report of the moment of the latest report. The provider's clock orders the reports, so
 * every later report of the provider still counts. A dispute that went on meanwhile stays as it is. With `mayWait`, a loss
 * waits for the outcome of its payment. Otherwise the finding says that the loss is not booked.
 */
async function respondedIn(
  app: App,
  tx: Tx,
  { dispute, response, payment }: Done,
  mayWait: boolean,
): Promise<Recorded | 'waits'> {
  const { reason, reasonCode, amount, currency, respondBy } = dispute;
  const operationId = await readLossOperation(tx, dispute);
  const reported = {
    ...{ disputeReference: dispute.providerReference, stage: response.stage, reason, reasonCode, respondBy },
    ...{ money: { amount, currency }, at: dispute.reportedAt },
    status: response.kind === 'evidence' ? ('under_review' as const) : ('accepted' as const),
  };
  const known = { ...payment, isUndecided: mayWait && payment.isUndecided };
  const verdict = decideDispute({ before: dispute, payment: known, operationId }, reported);
  if (verdict.kind === 'waits') return 'waits';
  const { finding } = verdict;
  if (verdict.kind === 'none') return { dispute, finding };
  if (finding !== null) {
    const { merchantAccountId, id: disputeId, transactionId } = dispute;
    const about = { merchantAccountId, disputeId, transactionId, finding };
    app.log.warn(about, 'A loss does not fit what is recorded.');
  }
  const written = await writeReport(app, tx, {
    ...{ before: dispute, subject: { ...dispute, operationId }, reported, verdict },
    ...{ currency: payment.currency, response: { ...response, status: 'succeeded' } },
  });
  return { dispute: written, finding };
}
