import { later } from '../kit/agenda.ts';
import type { Json } from './json.ts';
import { enter, reverseCapture } from './payments.ts';
import { refuse, refuseMissing } from './refusal.ts';
import { disputeView } from './views.ts';
import {
  DAY_MS,
  emit,
  wireAt,
  type Amount,
  type Capture,
  type Dispute,
  type PayPalWorld,
  type Wire,
} from './world.ts';

/** The time to respond to a dispute. */
const RESPONSE_MS = 10 * DAY_MS;

// The event codes of the transaction search: money held for a dispute, and its release.
const [HOLD_CODE, RELEASE_CODE] = ['T1110', 'T1111'];

export type DisputeFacts = {
  /** A word of PayPal, such as `MERCHANDISE_OR_SERVICE_NOT_RECEIVED`. */
  readonly reason: string;
  readonly stage: Dispute['stage'];
  /** The disputed amount in minor units. Null means the whole capture. */
  readonly minor: number | null;
};

/** Opens a dispute about a capture. Holds the money, except for an inquiry. */
export function openDispute(
  world: PayPalWorld,
  made: Capture,
  { reason, stage, minor }: DisputeFacts,
): Dispute {
  const now = world.now();
  const dispute: Dispute = {
    ...{ id: `PP-D-${world.newId().slice(-5)}`, captureId: made.id, reason, stage },
    amount: { currency: made.amount.currency, minor: minor ?? made.amount.minor },
    ...{ createdAt: now, updatedAt: now, status: 'WAITING_FOR_SELLER_RESPONSE', outcome: null },
    ...{ dueAt: new Date(now.getTime() + RESPONSE_MS), evidences: [] },
  };
  world.disputes.set(dispute.id, dispute);
  if (stage !== 'INQUIRY') hold(world, dispute);
  emitDispute(world, 'CREATED', dispute);
  later(world, RESPONSE_MS, () => lapse(world, dispute));
  return dispute;
}

const emitDispute = (world: PayPalWorld, word: string, dispute: Dispute): void =>
  emit(world, `CUSTOMER.DISPUTE.${word}`, 'dispute', disputeView(world, dispute), '1.0');

const hold = (world: PayPalWorld, dispute: Dispute): void => move(world, dispute, HOLD_CODE, -1);

function move(world: PayPalWorld, { captureId, amount }: Dispute, code: string, sign: 1 | -1): void {
  const { customId = null, invoiceId = null } = world.captures.get(captureId) ?? {};
  enter(world, {
    ...{ id: world.newId(), referenceId: captureId, referenceType: 'TXN', code, customId, invoiceId },
    ...{ amount, gross: sign * amount.minor, fee: 0, status: 'S' },
  });
}

function lapse(world: PayPalWorld, dispute: Dispute): void {
  if (dispute.status === 'WAITING_FOR_SELLER_RESPONSE') resolve(world, dispute, 'RESOLVED_BUYER_FAVOUR');
}

/** Turns an inquiry into a claim, which holds the money. */
export function escalate(world: PayPalWorld, dispute: Dispute): void {
  if (dispute.stage !== 'INQUIRY') throw new Error(`The dispute is a ${dispute.stage}.`);
  dispute.stage = 'CHARGEBACK';
  dispute.status = 'WAITING_FOR_SELLER_RESPONSE';
  dispute.dueAt = new Date(world.now().getTime() + RESPONSE_MS);
  dispute.updatedAt = world.now();
  hold(world, dispute);
  emitDispute(world, 'UPDATED', dispute);
  later(world, RESPONSE_MS, () => lapse(world, dispute));
}

/** Decides a dispute for the merchant or for the buyer. */
export function decideDispute(world: PayPalWorld, dispute: Dispute, decision: 'won' | 'lost'): void {
  resolve(world, dispute, decision === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR');
}

function resolve(world: PayPalWorld, dispute: Dispute, outcome: string): void {
  if (dispute.status === 'RESOLVED') throw new Error('The dispute is resolved.');
  dispute.status = 'RESOLVED';
  dispute.outcome = outcome;
  dispute.dueAt = null;
  dispute.updatedAt = world.now();
  if (dispute.stage !== 'INQUIRY') move(world, dispute, RELEASE_CODE, 1);
  const made = world.captures.get(dispute.captureId);
  const isLost = outcome === 'RESOLVED_BUYER_FAVOUR' || outcome === 'ACCEPTED';
  if (isLost && made && !made.isReversed && isWhole(made.amount, dispute.amount)) reverseCapture(world, made);
  emitDispute(world, 'RESOLVED', dispute);
}

const isWhole = (captured: Amount, disputed: Amount): boolean => captured.minor === disputed.minor;

export const findDispute = (world: PayPalWorld, id: string): Dispute =>
  world.disputes.get(id) ?? refuseMissing();

function refuseUnlessAsked({ status }: Dispute): void {
  if (status !== 'WAITING_FOR_SELLER_RESPONSE')
    refuse({ status: 422, name: 'UNPROCESSABLE_ENTITY', issue: 'DISPUTE_STATUS_NOT_ALLOWED' });
}

/** Takes the evidence of the merchant. PayPal decides later. */
export function provideEvidence(world: PayPalWorld, dispute: Dispute, body: Json): void {
  refuseUnlessAsked(dispute);
  const evidences = (wireAt(body, 'evidences') ?? []) as readonly Wire[];
  dispute.evidences.push(...evidences.map((each) => ({ ...each, source: 'SUBMITTED_BY_SELLER' })));
  dispute.status = 'UNDER_REVIEW';
  dispute.dueAt = null;
  dispute.updatedAt = world.now();
  emitDispute(world, 'UPDATED', dispute);
}

/** Gives the disputed money up. */
export function acceptClaim(world: PayPalWorld, dispute: Dispute): void {
  refuseUnlessAsked(dispute);
  resolve(world, dispute, 'ACCEPTED');
}
