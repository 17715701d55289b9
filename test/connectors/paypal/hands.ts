import { known } from '../kit/account.ts';
import { decideDispute, escalate, openDispute, type DisputeFacts } from './disputes.ts';
import { decideOrder } from './orders.ts';
import { decideAuthorization, decideCapture, decideRefund, expire, reverseCapture } from './payments.ts';
import type { NextStatus, PayPalWorld } from './world.ts';

const FACTS: DisputeFacts = {
  reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  stage: 'CHARGEBACK',
  minor: null,
};

/** The events that a test decides. */
export const createHands = (world: PayPalWorld) => ({
  /** Lets the buyer decide. Returns the address to which the page sends the buyer, or null. */
  decide: (orderId: string, decision: 'approve' | 'cancel'): string | null =>
    decideOrder(world, known(world.orders, orderId), decision),
  /** Gives the next authorisation, capture or refund this status, with 201. */
  answerNext: (status: NextStatus['status'], reason: string | null = null): void =>
    void world.nextStatuses.push({ status, reason }),
  /** Decides about a pending authorisation, capture or refund. A completed refund may fail, too. */
  complete: (id: string): void => decideAbout(world, id, true),
  deny: (id: string): void => decideAbout(world, id, false),
  /** Lets an authorisation lapse before its time. */
  expire: (authorizationId: string): void => expire(world, known(world.authorizations, authorizationId)),
  /** Lets an authorisation be renewed before its fourth day. */
  letRenew: (authorizationId: string): void =>
    void (known(world.authorizations, authorizationId).renewableFrom = world.now()),
  /** Takes the money of a capture back from the merchant. Returns the id of the reversal. */
  reverse: (captureId: string): string => reverseCapture(world, known(world.captures, captureId)).id,
  /** Opens a dispute. Returns its id. */
  dispute: (captureId: string, facts: Partial<DisputeFacts> = {}): string =>
    openDispute(world, known(world.captures, captureId), { ...FACTS, ...facts }).id,
  /** Turns an inquiry into a claim. */
  escalate: (disputeId: string): void => escalate(world, known(world.disputes, disputeId)),
  decideDispute: (disputeId: string, decision: 'won' | 'lost'): void =>
    decideDispute(world, known(world.disputes, disputeId), decision),
  /** Lets the transaction search show other fields of the movements with this id. Without fields, it shows the books again. */
  show: (id: string, fields: object = {}): void => {
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
