import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { isUuid } from '../../../platform/ids.ts';
import { refuseText } from '../../../platform/input/text.ts';
import type { Answer } from '../claim/replay.ts';
import {
  isSamePerson,
  personOf,
  requesterOf,
  statusAt,
  type NamedPerson,
  type RefundApproval,
} from '../model/refund-approval.ts';
import type { FollowUpRefusal, RefundApprovalEnded, SecondPersonRequired } from '../model/refusals.ts';
import { LEASE_MS, makeApproved } from './make.ts';
import { recordApprovalEvent } from './event.ts';
import { answerOf } from './find.ts';
import { changeApproval, readApproval } from './approvals.sql.ts';

/** An approved request with its refund, or with the reasons why the payment does not allow the refund any more. */
export type Approved = {
  readonly approval: RefundApproval;
  readonly answer: Answer | null;
  readonly refusals: readonly FollowUpRefusal[];
};

export type DecisionRefusal = InvalidInput | NotFound | SecondPersonRequired | RefundApprovalEnded;

/**
 * Approves a request for a refund, and makes the refund. Commits first: the approval with the approver, its audit entry and
 * its event. Then follows the refund: claim, call, settle. After a crash between, a worker makes the refund. The claim of
 * the refund gives the request its operation, so there is never a second refund.
 *
 * Refuses a token, the person who asked, and a request that does not wait any more. A repeat by the same person answers the
 * request as it is now.
 */
export async function approveRefund(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<Approved, DecisionRefusal>> {
  const found = await findWaiting(app, viewer, id);
  if (!found.ok) return found;
  const { approval, person } = found.value;
  if (isSamePerson(person, requesterOf(approval))) return refuse({ kind: 'SecondPersonRequired' });
  const now = app.clock.now();
  const nextAttemptAt = new Date(now.getTime() + LEASE_MS);
  const decided = await decide(app, approval, 'approve', { person, nextAttemptAt });
  if (!decided) return repeated(app, approval, person);
  await failpoint('refund-approval.approved');
  const made = await makeApproved(app, decided);
  return ok({
    approval: await current(app, decided),
    answer: made.ok ? made.value : null,
    refusals: made.ok ? [] : made.refusals,
  });
}

/**
 * Rejects a request for a refund of somebody else. Commits once: the rejection, its audit entry and its event. No money moves.
 *
 * reason: 1 to 100 characters.
 */
export const rejectRefund = async (
  app: App,
  viewer: Viewer,
  id: string,
  reason: string,
): Promise<Result<RefundApproval, DecisionRefusal>> => {
  const fault = refuseText(reason, 1, REASON_MAX);
  if (fault) return refuse(invalidInput(['reason'], fault));
  const found = await findWaiting(app, viewer, id);
  if (!found.ok) return found;
  const { approval, person } = found.value;
  if (isSamePerson(person, requesterOf(approval))) return refuse(OWN);
  return ended(app, approval, await decide(app, approval, 'reject', { person, decisionReason: reason }));
};

/** Withdraws an own request for a refund. Commits once, as `rejectRefund` does. Nobody withdraws a request of somebody else. */
export async function withdrawRefund(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<RefundApproval, DecisionRefusal>> {
  const found = await findWaiting(app, viewer, id);
  if (!found.ok) return found;
  const { approval, person } = found.value;
  if (!isSamePerson(person, requesterOf(approval))) return refuse(FOREIGN);
  return ended(app, approval, await decide(app, approval, 'withdraw', { person }));
}

const REASON_MAX = 100;
const OWN = invalidInput(['id'], 'The request is your own. Withdraw it with withdrawRefund.');
const FOREIGN = invalidInput(['id'], 'Somebody else asked for this refund. Reject it with rejectRefund.');

/** Finds a request for a person. A token decides nothing, because a token is no person. */
async function findWaiting(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<
  Result<{ readonly approval: RefundApproval; readonly person: NamedPerson }, NotFound | SecondPersonRequired>
> {
  const person = personOf(viewer);
  if (!person) return refuse({ kind: 'SecondPersonRequired' });
  const approval = isUuid(id) ? await readApproval(app.db, viewer.merchantAccountId, id) : null;
  return approval ? ok({ approval, person }) : refuse(notFound('refund approval'));
}

const EVENTS = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;

type Decided = {
  readonly person: NamedPerson;
  readonly decisionReason?: string;
  readonly nextAttemptAt?: Date;
};

/** Writes a decision with its event. Null if the request does not wait any more. */
async function decide(
  app: App,
  approval: RefundApproval,
  step: keyof typeof EVENTS,
  { person, ...patch }: Decided,
): Promise<RefundApproval | null> {
  const now = app.clock.now();
  const decided = await app.db.transaction(async (tx) => {
    const by = { decidedBy: person.name, decidedById: person.id, decidedAt: now };
    const changed = await changeApproval(tx, { ...approval, status: 'pending' }, step, {
      ...{ now, ...by, ...patch },
    });
    if (changed) await recordApprovalEvent(app, tx, EVENTS[step], changed);
    return changed;
  });
  app.wakeRelay();
  return decided;
}

/** Answers an approver whose approval was written before. Refuses everybody else. */
async function repeated(
  app: App,
  approval: RefundApproval,
  person: NamedPerson,
): Promise<Result<Approved, RefundApprovalEnded>> {
  const now = await current(app, approval);
  const { decidedBy, decidedById: id } = now;
  const isApproved = now.status === 'approved' || now.status === 'failed';
  if (!isApproved || decidedBy === null || !isSamePerson(person, { name: decidedBy, id }))
    return refuse({ kind: 'RefundApprovalEnded', status: statusAt(now, app.clock.now()) });
  return ok({ approval: now, answer: await answerOf(app, now), refusals: [] });
}

async function ended(
  app: App,
  approval: RefundApproval,
  decided: RefundApproval | null,
): Promise<Result<RefundApproval, RefundApprovalEnded>> {
  if (decided) return ok(decided);
  const status = statusAt(await current(app, approval), app.clock.now());
  return refuse({ kind: 'RefundApprovalEnded', status });
}

/** Reads a request again. */
async function current(
  { db }: Pick<App, 'db'>,
  { merchantAccountId, id }: RefundApproval,
): Promise<RefundApproval> {
  const found = await readApproval(db, merchantAccountId, id);
  if (!found) throw new Error(`The refund approval ${id} is gone`);
  return found;
}
