import type { App, Viewer } from '../../../app.ts';
import type { Evidence } from '../../../connectors/dispute-responses.ts';
import { notFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { isUuid } from '../../../platform/ids.ts';
import {
  findConnectionRows,
  findProvider,
  leaseOf,
  type ConnectionRow,
} from '../../payment-services/index.ts';
import type { Dispute } from '../dispute.ts';
import type { DisputeRefusal } from '../refusals.ts';
import { findDispute, lockDisputedPayment, readDispute, readPaymentReference } from '../store.ts';
import { refuseResponse, type DisputeResponse } from './response.ts';
import { hasPendingResponse, insertResponse } from './response.sql.ts';
import { sealEvidence } from './sealed-evidence.ts';
import { sendResponse, type Responded } from './send.ts';

/** The wanted response. `evidence` is null to accept the dispute. */
type Wanted = { readonly kind: DisputeResponse['kind']; readonly evidence: Evidence | null };

/**
 * Responds to a dispute: claim, call, settle. Commits twice. The first commit writes a pending response with the sealed
 * evidence, before the call of the provider. The second writes the outcome, and deletes the evidence. After a crash between, the
 * responder sends the response again under the same key. A refusal changes nothing and calls no provider.
 */
export async function respond(
  app: App,
  viewer: Viewer,
  id: string,
  wanted: Wanted,
): Promise<Result<Responded, DisputeRefusal>> {
  const { merchantAccountId } = viewer;
  if (!isUuid(id)) return refuse(notFound('dispute'));
  const dispute = await findDispute(app.db, merchantAccountId, id);
  if (!dispute) return refuse(notFound('dispute'));
  const [connection] = await findConnectionRows(app, merchantAccountId, [dispute.paymentServiceId]);
  if (!connection) throw new Error('The payment service of a dispute is gone');
  const claimed = await claim(app, dispute, connection, wanted);
  if (!claimed.ok) return claimed;
  await failpoint('disputes.claimed');
  return ok(await sendResponse(app, claimed.value));
}

async function claim(
  app: App,
  { merchantAccountId, id: disputeId, transactionId }: Dispute,
  connection: ConnectionRow,
  { kind, evidence }: Wanted,
): Promise<Result<DisputeResponse, DisputeRefusal>> {
  const id = app.ids.uuid();
  const sealedEvidence = evidence && (await sealEvidence(app.vault, { merchantAccountId, id }, evidence));
  const now = app.clock.now();
  return app.db.transaction(async (tx) => {
    await lockDisputedPayment(tx, merchantAccountId, transactionId);
    const current = await readDispute(tx, merchantAccountId, disputeId);
    if (!current) return refuse(notFound('dispute'));
    const refusal = refuseResponse(current, {
      now,
      isSupported: supports(app, connection, kind),
      hasPending: await hasPendingResponse(tx, current),
    });
    if (refusal) return refuse(refusal);
    const response: DisputeResponse = {
      ...{ merchantAccountId, id, disputeId, kind, stage: current.stage, status: 'pending', sealedEvidence },
      paymentReference: await readPaymentReference(tx, current),
      ...{ errorCode: null, attempts: 1, nextAttemptAt: leaseOf(app, now) },
      ...{ settledAt: null, createdAt: now },
    };
    await insertResponse(tx, response);
    return ok(response);
  });
}

const FEATURES = { evidence: 'dispute_evidence', acceptance: 'dispute_acceptance' } as const;

const supports = (app: App, { definitionId }: ConnectionRow, kind: DisputeResponse['kind']): boolean =>
  findProvider(app, definitionId)?.definition.supportedFeatures[FEATURES[kind]] ?? false;
