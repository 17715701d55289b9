import type { App, Viewer } from '../../../app.ts';
import { notFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { SQLSTATE, sqlState } from '../../../platform/database/db.ts';
import { refuseKey, fingerprintOf, providerKeysOf } from '../../idempotency/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import { definitionsWith, findProvider, leaseOf, smallestAmountOf } from '../../payment-services/index.ts';
import { reverseRedemptions } from '../authorize/split-tender/reverse.ts';
import { runOperation } from '../engine/run-operation.ts';
import {
  decideFollowUp,
  NEEDED,
  NEEDED_FOR_PARTS,
  type FollowUpKind,
} from '../follow-up-claim/decide-follow-up.ts';
import { mutationOf, type Operated, type Operation } from '../model/operation.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';
import { refundable, type Transaction } from '../model/transaction.ts';
import { unlessHeld } from '../hold/held-back.ts';
import { keyRow, replay, type Answer, type MoneyKey } from '../claim/replay.ts';
import { claimFollowUp, type SharesClaim } from '../follow-up-claim/claim.sql.ts';
import type { GivenShare } from '../input/splits.ts';
import type { Claim } from '../claim/claim.ts';
import type { Permit } from '../model/permit.ts';
import { refusePermit } from './permit.ts';
import { shareOut } from './share-out.ts';
import { sharedCaptures } from './shared-captures.ts';
import {
  readKeyAndSubject,
  readRefundFacts,
  readSubject,
  type KeyAndSubject,
} from '../follow-up-claim/subject.sql.ts';

/** An operation on an existing payment with checked input. */
export type FollowUp = {
  readonly kind: FollowUpKind;
  readonly transactionId: string;
  /** Minor units. Null means the whole remaining amount. */
  readonly amount: number | null;
  /** True for a capture after which nothing more is captured. */
  readonly final: boolean;
  /** True for a refund in spite of an open dispute. */
  readonly force: boolean;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  /** The shares of a capture or a refund. Absent or null: those of the payment in proportion. */
  readonly splits?: readonly GivenShare[] | null;
  readonly idempotencyKey: string | null | undefined;
  /** The permission of a refund by a person. Absent for other operations, and for callers without limits. */
  readonly permit?: Permit | undefined;
};

/** The merchant account of the caller. */
export type Account = Pick<Viewer, 'merchantAccountId'>;

/** The number of claims before the caller gets an IdempotencyInProgress refusal. */
export const CLAIMS_MAX = 5;

/** The same for a payment with shares. Each other capture or refund of the payment changes its shares twice. */
const SHARED_CLAIMS_MAX = 20;

/**
 * Increases, renews, captures, refunds, voids or cancels: claim, call, settle. Commits twice. The first commit writes a pending operation
 * and reserves its amount, before the call of the provider. The second writes the outcome with its events. After a
 * crash between, reconciliation settles the operation under the same key. A refusal changes nothing, calls no provider
 * and uses no key.
 *
 * A capture or a refund of a payment with shares reads the payment before its claim. The claim has no effect if the shares have
 * changed since.
 */
export async function followUp(
  app: App,
  viewer: Account,
  request: FollowUp,
): Promise<Result<Answer, FollowUpRefusal>> {
  const badKey = refuseKey(request.idempotencyKey);
  if (badKey) return refuse(badKey);
  if (!isUuid(request.transactionId)) return refuse(notFound('transaction'));
  const key = moneyKey(request);
  let shares: SharesClaim | null = null;
  let claimsMax = CLAIMS_MAX;
  for (let claims = 0; claims < claimsMax; claims++) {
    const claimed = await unlessHeld(claim(app, viewer, { request, key, shares }));
    if (!claimed.ok) return claimed;
    if (claimed.value) {
      const done = await runFollowUp(app, claimed.value);
      return ok({ ...done, replayed: false });
    }
    const explained = await explain(app, viewer, request, key);
    if ('answer' in explained) return explained.answer;
    ({ shares } = explained);
    if (shares) claimsMax = SHARED_CLAIMS_MAX;
  }
  return refuse({ kind: 'IdempotencyInProgress', retryAfterMs: 1_000 });
}

/** Runs a claimed operation on a payment. Reverses gift-card redemptions when the payment ends without success. */
export async function runFollowUp(app: App, claimed: Claim): Promise<Operated> {
  const done = await runOperation(app, claimed);
  await reverseRedemptions(app, done);
  return done;
}

function moneyKey({
  kind,
  transactionId,
  amount,
  final,
  force,
  externalIdentifier,
  reason,
  splits,
  idempotencyKey,
}: FollowUp): MoneyKey | null {
  if (idempotencyKey == null) return null;
  // A capture is final by default, a refund without force, and both keep the shares. The digest omits these values.
  const others = { final: final ? null : false, force: force || null, ...(splits && { splits }) };
  const input = {
    id: transactionId.toLowerCase(),
    input: { amount, ...others, externalIdentifier, reason },
  };
  return { mutation: mutationOf[kind], key: idempotencyKey, fingerprint: fingerprintOf(input) };
}

type Attempt = {
  readonly request: FollowUp;
  readonly key: MoneyKey | null;
  readonly shares: SharesClaim | null;
};

async function claim(app: App, viewer: Account, { request, key, shares }: Attempt): Promise<Claim | null> {
  // Shares of a request are for a payment with shares alone, which the first claim cannot know.
  if (request.splits && !shares) return null;
  const now = app.clock.now();
  try {
    return await claimFollowUp(app.db, {
      ...request,
      merchantAccountId: viewer.merchantAccountId,
      operationId: app.ids.uuid(),
      mutation: mutationOf[request.kind],
      key: key && (await keyRow(app, viewer.merchantAccountId, key, { now })),
      now,
      leaseUntil: leaseOf(app, now),
      shares,
      definitions: {
        any: definitionsWith(app, NEEDED[request.kind]),
        parts: definitionsWith(app, NEEDED_FOR_PARTS[request.kind]),
      },
    });
  } catch (error) {
    // Another request with this key, or another void, was first. The claim has left nothing.
    if (sqlState(error) === SQLSTATE.uniqueViolation) return null;
    // Postgres checks constraints on the row that the statement saw first, before it notices a later change. So a claim
    // fails here that waited for the settle which allows it. The next claim sees the changed row.
    if (sqlState(error) === SQLSTATE.checkViolation) return null;
    throw error;
  }
}

/** The reason why there was no claim. Without a reason any more, the shares for the next claim. */
type Explained =
  | { readonly answer: Result<Answer, FollowUpRefusal> }
  | { readonly shares: SharesClaim | null };

const refused = (refusal: FollowUpRefusal): Explained => ({ answer: refuse(refusal) });

async function explain(
  app: App,
  viewer: Account,
  requested: FollowUp,
  key: MoneyKey | null,
): Promise<Explained> {
  const { stored, booked, subject } = await readFacts(app, viewer, requested.transactionId, key);
  const replayed = key && stored && (await replay(app, viewer, key, stored));
  if (replayed) return { answer: replayed.ok ? ok({ ...replayed.value, replayed: true }) : replayed };
  if (!subject) return refused(notFound('transaction'));
  if (booked) return { answer: answerBooked(subject.transaction, booked, requested) };
  const { transaction, allowance, definitionId } = subject;
  const provider = findProvider(app, definitionId);
  if (!provider) throw new Error(`No connector has the definition ${definitionId}.`);
  const refusal = decideFollowUp(
    { transaction, allowance, features: provider.definition.supportedFeatures },
    requested,
  );
  if (refusal) return refused(refusal);
  const unit = smallestAmountOf(app, { definitionId, currency: transaction.currency });
  const shared = await sharesFor(app, transaction, { ...requested, unit });
  if (!shared.ok) return { answer: shared };
  const amount = requested.amount ?? refundable(transaction).amount;
  const money = { transactionId: transaction.id, amount, currency: transaction.currency };
  const held = await refusePermit(app, viewer.merchantAccountId, money, requested.permit);
  return held ? refused(held) : { shares: shared.value };
}

/**
 * Shares a capture or a refund out. Null for the other operations, which move no shares, and for a refund whose captures have
 * changed meanwhile.
 */
async function sharesFor(
  app: App,
  transaction: Transaction,
  { kind, amount, splits = null, unit }: FollowUp & { readonly unit: number },
): Promise<ReturnType<typeof shareOut>> {
  if (kind === 'capture') return shareOut(transaction, { kind, amount, splits, unit });
  if (kind !== 'refund') return ok(null);
  if (!transaction.splits) return shareOut(transaction, { kind, amount, splits, unit, captures: [] });
  const facts = await readRefundFacts(app.db, transaction, amount ?? refundable(transaction).amount);
  if (!facts) return ok(null);
  const captures = sharedCaptures(transaction, facts, unit);
  return shareOut(transaction, { kind, amount, splits, unit, captures });
}

/**
 * Answers the repeat of a request whose operation a restore lost, and whose operation a report of the provider booked. The
 * record of the key is lost too, so only the payment and the amount tell another request apart. A provider may have copied the
 * key to an operation of another kind, which answers nothing.
 */
function answerBooked(
  transaction: Transaction,
  operation: Operation,
  { kind, amount }: FollowUp,
): Result<Answer, FollowUpRefusal> {
  const differingPaths = [
    ...(operation.transactionId === transaction.id ? [] : ['id']),
    ...(amount === null || amount === operation.amount ? [] : ['input.amount']),
  ];
  // A cancel of an authorised payment is booked as a void.
  const isOfKind = operation.kind === (kind === 'cancel' ? 'void' : kind);
  if (!isOfKind || differingPaths.length > 0) return refuse({ kind: 'IdempotencyKeyReused', differingPaths });
  return ok({ transaction, operation, replayed: true });
}

/** Reads everything that explains a refusal, in one statement. */
async function readFacts(
  app: App,
  { merchantAccountId: account }: Account,
  transaction: string,
  key: MoneyKey | null,
): Promise<KeyAndSubject> {
  const { db, clock } = app;
  if (!key) return { stored: null, booked: null, subject: await readSubject(db, account, transaction) };
  const { mutation, key: text } = key;
  const providerKeys = await providerKeysOf(app, { merchantAccountId: account, ...key, part: '' });
  return readKeyAndSubject(db, { account, mutation, key: text, transaction, now: clock.now(), providerKeys });
}
