import type { App, Viewer } from '../../../app.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { answerOnce, createOrRefuse } from '../../idempotency/index.ts';
import type { Answer } from '../claim/replay.ts';
import { makeRefund, type Refund } from '../follow-up/make-refund.ts';
import { refundInput } from '../input/inputs.ts';
import {
  APPROVAL_MS,
  personOf,
  statusAt,
  type NamedPerson,
  type RefundApproval,
} from '../model/refund-approval.ts';
import type { FollowUpRefusal, RefundApprovalRequired } from '../model/refusals.ts';
import { recordApprovalEvent } from './event.ts';
import { answerOf } from './find.ts';
import { insertApproval, readApproval } from './approvals.sql.ts';

/** A refund that was made, or the stored request for a refund that a second person must approve. */
export type Refunded = {
  readonly answer: Answer | null;
  readonly approval: RefundApproval | null;
  /** The request waits, or has ended without a refund. Empty after a refund. */
  readonly refusals: readonly RefundApprovalRequired[];
  readonly replayed: boolean;
};

/**
 * Refunds part or all of a captured transaction. Several refunds are possible until nothing remains. The money goes to
 * the payment method, unless input.target names another target. `makeRefund` says what a refund commits.
 * - `input.amount`: minor units, from 1 to the refundable amount, never reduced to fit. Left out, it is the whole
 *   refundable amount.
 * - `input.force`: refunds in spite of an open dispute, which otherwise refuses the refund.
 *
 * A person refunds at most the limit of a payment alone, together with other people. Above the limit, one commit stores a
 * request with its event instead. No provider is called, and a second person decides. A repeat with the same key answers
 * the request as it is now.
 */
export async function refundTransaction(
  app: App,
  viewer: Viewer,
  transactionId: string,
  input: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Refunded, FollowUpRefusal>> {
  const checked = parseInput(refundInput, input);
  if (!checked.ok) return checked;
  const refund: Refund = { ...checked.value, transactionId, idempotencyKey };
  const person = personOf(viewer);
  if (!person) return refunded(await makeRefund(app, viewer, refund));
  const known = await answerOnce<Stored>(app.db, onceOf(app, viewer, refund));
  if (known) return known.ok ? ok(await shown(app, viewer, known.value)) : known;
  const limits = app.config.PAYGRAPH_REFUND_APPROVAL;
  const made = await makeRefund(app, viewer, { ...refund, permit: { kind: 'alone', limits } });
  if (made.ok || made.refusals[0].kind !== 'RefundApprovalRequired') return refunded(made);
  if (refund.splits) return refuse(NO_SPLITS);
  const asked = await ask(app, viewer, { refund, person, requested: made.refusals[0].requested });
  return asked.ok ? ok(await shown(app, viewer, asked.value)) : asked;
}

const NO_SPLITS = invalidInput(
  ['input', 'splits'],
  'Must be left out of a refund that a second person must approve. The approved refund keeps the splits in proportion.',
);

const refunded = (made: Result<Answer, FollowUpRefusal>): Result<Refunded, FollowUpRefusal> =>
  made.ok ? ok({ answer: made.value, approval: null, refusals: [], replayed: made.value.replayed }) : made;

/** The result of a request in the record of its key. */
type Stored = { readonly id: string };

/** The record of the request's key. The refund itself has a key of its own. */
const onceOf = (app: App, { merchantAccountId }: Viewer, refund: Refund) => {
  const { transactionId, idempotencyKey: key, splits, ...others } = refund;
  // Keys from before the shares keep their fingerprints.
  const input = { ...others, ...(splits && { splits }) };
  const id = transactionId.toLowerCase();
  return {
    ...{ merchantAccountId, operation: 'askForRefund', key, now: app.clock.now() },
    input: { id, input: { ...input, redemptionId: input.redemptionId?.toLowerCase() ?? null } },
  };
};

type Wanted = Pick<RefundApprovalRequired, 'requested'> & {
  readonly refund: Refund;
  readonly person: NamedPerson;
};

/** Stores a request. Commits once: the request, its audit entry, its event and the record of the key. */
async function ask(
  app: App,
  viewer: Viewer,
  { refund, person, requested }: Wanted,
): Promise<
  Result<{ readonly value: Stored; readonly replayed: boolean }, IdempotencyRefusal | InvalidInput>
> {
  const now = app.clock.now();
  const { transactionId, target, redemptionId, force, externalIdentifier, reason } = refund;
  const approval: RefundApproval = {
    ...{ merchantAccountId: viewer.merchantAccountId, id: app.ids.uuid(), transactionId, ...requested },
    ...{ target, redemptionId, force, externalIdentifier, reason, status: 'pending' },
    ...{ requestedBy: person.name, requestedById: person.id, createdAt: now },
    ...{ decidedBy: null, decidedById: null, decisionReason: null, decidedAt: null },
    ...{ operationId: null, errorCode: null, nextAttemptAt: null },
    expiresAt: new Date(now.getTime() + APPROVAL_MS),
  };
  const asked = await createOrRefuse<Stored, never>(app.db, onceOf(app, viewer, refund), async (tx) => {
    await insertApproval(tx, approval);
    await recordApprovalEvent(app, tx, 'requested', approval);
    return ok({ id: approval.id });
  });
  app.wakeRelay();
  return asked;
}

/** Answers a request as it is now, with its refund if there is one. */
async function shown(
  app: App,
  { merchantAccountId }: Viewer,
  { value: { id }, replayed }: { readonly value: Stored; readonly replayed: boolean },
): Promise<Refunded> {
  const approval = await readApproval(app.db, merchantAccountId, id);
  if (!approval) throw new Error(`The refund approval ${id} is gone`);
  const answer = await answerOf(app, approval);
  const { amount, currency } = approval;
  const status = statusAt(approval, app.clock.now());
  const required: RefundApprovalRequired = {
    ...{ kind: 'RefundApprovalRequired', requested: { amount, currency }, approvalId: id, status },
  };
  return { answer, approval, refusals: answer ? [] : [required], replayed };
}
