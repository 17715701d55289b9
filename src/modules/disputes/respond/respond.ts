import type { App, Viewer } from '../../../app.ts';
import type { Evidence } from '../../../connectors/interface/dispute-responses.ts';
import { notFound, type IdempotencyRefusal } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { isUuid } from '../../../platform/ids.ts';
import { claimKey, readKey, refuseKey } from '../../idempotency/index.ts';
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
import { firstUnusedKey, hasPendingResponse, insertResponse } from './response.sql.ts';
import { sealEvidence } from './sealed-evidence.ts';
import { keyOf, replay, type Answered, type ResponseKey } from './replay.ts';
import { sendResponse } from './send.ts';

/** The wanted response. `evidence` is null to accept the dispute. */
type Wanted = {
  readonly kind: DisputeResponse['kind'];
  readonly evidence: Evidence | null;
  readonly idempotencyKey: string | null | undefined;
};

type RespondRefusal = DisputeRefusal | IdempotencyRefusal;

/**
 * Responds to a dispute: claim, call, settle. Commits twice. The first commit writes a pending response with the sealed
 * evidence, before the call of the provider. The second writes the outcome, and deletes the evidence. After a crash between, the
 * responder sends the response again under the same key. A refusal changes nothing, calls no provider and uses no key.
 */
export async function respond(
  app: App,
  viewer: Viewer,
  id: string,
  wanted: Wanted,
): Promise<Result<Answered, RespondRefusal>> {
  const { merchantAccountId } = viewer;
  const badKey = refuseKey(wanted.idempotencyKey);
  if (badKey) return refuse(badKey);
  if (!isUuid(id)) return refuse(notFound('dispute'));
  const dispute = await findDispute(app.db, merchantAccountId, id);
  if (!dispute) return refuse(notFound('dispute'));
  const [connection] = await findConnectionRows(app, merchantAccountId, [dispute.paymentServiceId]);
  if (!connection) throw new Error('The payment service of a dispute is gone');
  const key = await keyOf(app, dispute, wanted);
  const claimed = await claim(app, dispute, connection, { ...wanted, key });
  if (!claimed.ok) return claimed;
  if (claimed.value.kind === 'repeat') return replay(app, claimed.value.key);
  await failpoint('disputes.claimed');
  const responded = await sendResponse(app, claimed.value.response);
  await failpoint('disputes.settled');
  return ok({ ...responded, replayed: false });
}

/** `repeat`: the key belongs to an earlier request. */
type Claimed =
  | { readonly kind: 'new'; readonly response: DisputeResponse }
  | { readonly kind: 'repeat'; readonly key: ResponseKey };

async function claim(
  app: App,
  { merchantAccountId, id: disputeId, transactionId }: Dispute,
  connection: ConnectionRow,
  { kind, evidence, key }: Wanted & { readonly key: ResponseKey | null },
): Promise<Result<Claimed, DisputeRefusal>> {
  const id = app.ids.uuid();
  const sealedEvidence = evidence && (await sealEvidence(app.vault, { merchantAccountId, id }, evidence));
  const now = app.clock.now();
  return app.db.transaction(async (tx) => {
    await lockDisputedPayment(tx, merchantAccountId, transactionId);
    const current = await readDispute(tx, merchantAccountId, disputeId);
    if (!current) return refuse(notFound('dispute'));
    if (key && (await readKey(tx, key))) return ok({ kind: 'repeat', key });
    const refusal = refuseResponse(current, {
      now,
      isSupported: supports(app, connection, kind),
      hasPending: await hasPendingResponse(tx, current),
    });
    if (refusal) return refuse(refusal);
    if (key && !(await claimKey(tx, key, id))) return ok({ kind: 'repeat', key });
    const response: DisputeResponse = {
      ...{ merchantAccountId, id, disputeId, kind, stage: current.stage, status: 'pending', sealedEvidence },
      paymentReference: await readPaymentReference(tx, current),
      ...{ errorCode: null, attempts: 1, nextAttemptAt: leaseOf(app, now) },
      ...{
        idempotencyKey: key?.key ?? null,
        unclearAt: null,
        acceptedAt: null,
        settledAt: null,
        createdAt: now,
      },
      providerKey: key && (await firstUnusedKey(tx, merchantAccountId, key.providerKeys)),
    };
    await insertResponse(tx, response);
    return ok({ kind: 'new', response });
  });
}

const FEATURES = { evidence: 'dispute_evidence', acceptance: 'dispute_acceptance' } as const;

const supports = (app: App, { definitionId }: ConnectionRow, kind: DisputeResponse['kind']): boolean =>
  findProvider(app, definitionId)?.definition.supportedFeatures[FEATURES[kind]] ?? false;
