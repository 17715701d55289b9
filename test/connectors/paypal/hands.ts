import { decideDispute, escalate, openDispute, type DisputeFacts } from './disputes.ts';
import { decideOrder } from './orders.ts';
import { decideAuthorization, decideCapture, decideRefund, expire, reverseCapture } from './payments.ts';
import type { NextStatus, PayPalWorld } from './world.ts';

export type PayPalHands = {
  /** Lets the buyer decide. Returns the address to which the page sends the buyer, or null. */
  decide(orderId: string, decision: 'approve' | 'cancel'): string | null;
  /** Gives the next authorisation, capture or refund this status, with 201. */
  answerNext(status: NextStatus['status'], reason?: string): void;
  /** Decides about a pending authorisation, capture or refund. A completed refund may fail, too. */
  complete(id: string): void;
  deny(id: string): void;
  /** Lets an authorisation lapse before its time. */
  expire(authorizationId: string): void;
  /** Lets an authorisation be renewed before its fourth day. */
  letRenew(authorizationId: string): void;
  /** Takes the money of a capture back from the merchant. Returns the id of the reversal. */
  reverse(captureId: string): string;
  /** Opens a dispute. Returns its id. */
  dispute(captureId: string, facts?: Partial<DisputeFacts>): string;
  /** Turns an inquiry into a claim. */
  escalate(disputeId: string): void;
  decideDispute(disputeId: string, decision: 'won' | 'lost'): void;
  /** Lets the transaction search show other fields of the movements with this id. Without fields, it shows the books again. */
  show(id: string, fields?: object): void;
};

const FACTS: DisputeFacts = {
  reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  stage: 'CHARGEBACK',
  minor: null,
};

export const createHands = (world: PayPalWorld): PayPalHands => ({
  decide: (id, decision) => decideOrder(world, known(world.orders, id), decision),
  answerNext: (status, reason) => void world.nextStatuses.push({ status, reason: reason ?? null }),
  complete: (id) => decideAbout(world, id, true),
  deny: (id) => decideAbout(world, id, false),
  expire: (id) => expire(world, known(world.authorizations, id)),
  letRenew: (id) => void (known(world.authorizations, id).renewableFrom = world.now()),
  reverse: (id) => reverseCapture(world, known(world.captures, id)).id,
  dispute: (id, facts = {}) => openDispute(world, known(world.captures, id), { ...FACTS, ...facts }).id,
  escalate: (id) => escalate(world, known(world.disputes, id)),
  decideDispute: (id, decision) => decideDispute(world, known(world.disputes, id), decision),
  show: (id, fields = {}) => {
    for (const entry of world.entries) if (entry.id === id) entry.shown = fields;
  },
});

function decideAbout(world: PayPalWorld, id: string, isYes: boolean): void {
  const authorization = world.authorizations.get(id);
  if (authorization) return decideAuthorization(world, authorization, isYes ? 'complete' : 'deny');
  const made = world.captures.get(id);
  if (made) return decideCapture(world, made, isYes ? 'complete' : 'deny');
  return decideRefund(world, known(world.refunds, id), isYes ? 'complete' : 'fail');
}

function known<Value>(objects: ReadonlyMap<string, Value>, id: string): Value {
  const value = objects.get(id);
  if (value === undefined) throw new Error(`The double has no object ${id}.`);
  return value;
}
