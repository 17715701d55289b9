import type { App } from '../../../app.ts';
import { invalidInput, notFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { SQLSTATE, sqlState } from '../../../platform/database/db.ts';
import { refuseKey, fingerprintOf, providerKeysOf } from '../../idempotency/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import { findProvider, leaseOf } from '../../payment-services/index.ts';
import { CLAIMS_MAX, runFollowUp, type Account } from './follow-up.ts';
import type { Permit } from '../model/permit.ts';
import { refusePermit } from './permit.ts';
import { unlessHeld } from '../hold/held-back.ts';
import { type Answer, keyRow, replay, type MoneyKey } from '../claim/replay.ts';
import { mutationOf, type Operated, type Operation } from '../model/operation.ts';
import { refundableTo, type Redemption } from '../model/redemption.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';
import { current } from '../settle/settle.ts';
import type { Claim } from '../claim/claim.ts';
import { readRedemptions } from '../redemption/redemptions.sql.ts';
import { claimRefunds } from '../follow-up-claim/refunds.sql.ts';
import { readKeyAndSubject, readSubject, type KeyAndSubject } from '../follow-up-claim/subject.sql.ts';
import { splitRefund, type Part, type Target } from './split-refund.ts';

/** A refund to one gift card, or to every instrument that paid, with checked input. */
export type GiftCardRefund = {
  readonly transactionId: string;
  readonly target: Target;
  /** Minor units. Null means the whole remaining amount. */
  readonly amount: number | null;
  /** True for a refund of the payment method in spite of an open dispute. */
  readonly force: boolean;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly idempotencyKey: string | null | undefined;
  /** The permission of a refund by a person. Absent for callers without limits. */
  readonly permit?: Permit | undefined;
};

/**
 * Refunds to one gift card, or to every instrument that paid: claim, call, settle. The first commit claims all parts.
 * Each part is a pending operation with a reserved amount. Each outcome is a commit of its own. After a crash between,
 * reconciliation settles the rest. The answer is the first part, and the transaction after all parts. A refusal changes
 * nothing, calls no provider and uses no key.
 */
export async function refundGiftCards(
  app: App,
  viewer: Account,
  request: GiftCardRefund,
): Promise<Result<Answer, FollowUpRefusal>> {
  const badKey = refuseKey(request.idempotencyKey);
  if (badKey) return refuse(badKey);
  if (!isUuid(request.transactionId)) return refuse(notFound('transaction'));
  const key = moneyKey(request);
  for (let claims = 0; claims < CLAIMS_MAX; claims++) {
    const replayed = key && (await replay(app, viewer, key));
    if (replayed) return replayed.ok ? ok({ ...replayed.value, replayed: true }) : replayed;
    const split = await splitNow(app, viewer, request, key);
    if (!split.ok) return split;
    const { parts, currency, done } = split.value;
    if (done) return ok({ ...done, replayed: true });
    const amount = parts.reduce((sum, part) => sum + part.amount, 0);
    const { transactionId, permit } = request;
    const money = { transactionId, amount, currency };
    const held = await refusePermit(app, viewer.merchantAccountId, money, permit);
    if (held) return refuse(held);
    const claimed = await unlessHeld(claim(app, viewer, request, { parts, key }));
    if (!claimed.ok) return claimed;
    const [first, ...others] = claimed.value;
    if (first) return ok({ ...(await runAll(app, first, others)), replayed: false });
  }
  return refuse({ kind: 'IdempotencyInProgress', retryAfterMs: 1_000 });
}

function moneyKey({ idempotencyKey, transactionId: id, target, ...rest }: GiftCardRefund): MoneyKey | null {
  if (idempotencyKey == null) return null;
  const { amount, force, externalIdentifier, reason } = rest;
  const to =
    target.kind === 'all'
      ? { target: 'all' }
      : { target: 'gift_card_redemption', redemptionId: target.redemptionId.toLowerCase() };
  const fingerprint = fingerprintOf({
    id: id.toLowerCase(),
    input: { amount, force: force || null, externalIdentifier, reason, ...to },
  });
  return { mutation: mutationOf.refund, key: idempotencyKey, fingerprint };
}

/** The parts to refund. `done`: a report booked the only part. */
type Split = { readonly parts: readonly Part[]; readonly currency: string; readonly done?: Operated };

async function splitNow(
  app: App,
  { merchantAccountId }: Account,
  request: GiftCardRefund,
  key: MoneyKey | null,
): Promise<Result<Split, FollowUpRefusal>> {
  const { transactionId } = request;
  const { subject: found, booked } = await readFacts(app, merchantAccountId, request, key);
  if (!found) return refuse(notFound('transaction'));
  const { transaction, allowance, definitionId } = found;
  if (transaction.splits) return refuse(HAS_SPLITS);
  const provider = findProvider(app, definitionId);
  if (!provider) throw new Error(`No connector has the definition ${definitionId}.`);
  const redemptions = await readRedemptions(app.db, merchantAccountId, [transactionId]);
  const features = provider.definition.supportedFeatures;
  const { currency } = transaction;
  const wanted = booked ? restOf(booked, redemptions, request) : request;
  if (wanted === null) return refuse({ kind: 'IdempotencyKeyReused', differingPaths: ['input.amount'] });
  if (booked && wanted.amount === 0)
    return ok({ parts: [], currency, done: { transaction, operation: booked } });
  const parts = splitRefund({ transaction, allowance, features }, redemptions, wanted);
  return parts.ok ? ok({ parts: parts.value, currency }) : parts;
}

const HAS_SPLITS = invalidInput(
  ['input', 'target'],
  'Must be PAYMENT_METHOD, because no gift card pays a part of a payment with splits.',
);

/** Reads the payment, and the part of the payment method that a restore lost and a report booked. */
async function readFacts(
  app: App,
  account: string,
  { transactionId: transaction, target }: GiftCardRefund,
  key: MoneyKey | null,
): Promise<Pick<KeyAndSubject, 'subject' | 'booked'>> {
  const { db, clock } = app;
  if (!key || target.kind !== 'all')
    return { subject: await readSubject(db, account, transaction), booked: null };
  const { mutation, key: text } = key;
  const providerKeys = await providerKeysOf(app, {
    merchantAccountId: account,
    ...key,
    part: targetOf(null),
  });
  return readKeyAndSubject(db, { account, mutation, key: text, transaction, now: clock.now(), providerKeys });
}

/** Returns the rest of a request for the gift cards. Null if the booked part is not of this request. */
function restOf(
  { kind, transactionId, amount: booked }: Operation,
  redemptions: readonly Redemption[],
  request: GiftCardRefund,
): (GiftCardRefund & { readonly isMethodDone: true }) | null {
  const left = redemptions.reduce((sum, each) => sum + refundableTo(each), 0);
  const amount = request.amount === null ? left : request.amount - booked;
  const isOfRequest = kind === 'refund' && transactionId === request.transactionId.toLowerCase();
  return isOfRequest && amount >= 0 && amount <= left ? { ...request, amount, isMethodDone: true } : null;
}

async function claim(
  app: App,
  { merchantAccountId }: Account,
  { transactionId, target, force, externalIdentifier, reason, permit }: GiftCardRefund,
  { parts, key }: { readonly parts: readonly Part[]; readonly key: MoneyKey | null },
): Promise<readonly Claim[]> {
  const now = app.clock.now();
  const [first, ...others] = await Promise.all(
    parts.map(async ({ redemption, amount }) => ({
      operationId: app.ids.uuid(),
      redemptionId: redemption?.id ?? null,
      amount,
      providerKeys: key
        ? await providerKeysOf(app, { merchantAccountId, ...key, part: targetOf(redemption) })
        : [],
    })),
  );
  if (!first) return [];
  return claimRefunds(app.db, {
    ...{ merchantAccountId, transactionId, force, externalIdentifier, reason, now, permit },
    refunds: [first, ...others],
    statuses: target.kind === 'all' ? CAPTURED : [...CAPTURED, ...ENDED_IN_VAIN],
    mutation: mutationOf.refund,
    key: key && (await keyRow(app, merchantAccountId, key, { now })),
    leaseUntil: leaseOf(app, now),
  }).catch((error: unknown) => {
    // Another request with this key was first, or changed the remaining amount. The claim has left nothing.
    const code = sqlState(error);
    if (code === SQLSTATE.uniqueViolation || code === SQLSTATE.checkViolation) return [];
    throw error;
  });
}

/** Names the target of a refund in a way that a repeat after a restore keeps. */
const targetOf = (redemption: Part['redemption']): string =>
  redemption ? `gift card ${redemption.ordinal}` : 'payment method';

const CAPTURED = ['capture_succeeded'];
const ENDED_IN_VAIN = ['authorization_declined', 'authorization_failed', 'authorization_voided'];

/** Runs the first refund last. The key stores its result, with the transaction after all refunds. */
async function runAll(app: App, first: Claim, others: readonly Claim[]) {
  await Promise.all(others.map((claimed) => runFollowUp(app, claimed)));
  const { transaction } = await current(app, first.operation);
  return runFollowUp(app, { ...first, transaction });
}
