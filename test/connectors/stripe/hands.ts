import type Stripe from 'stripe';
import { known } from '../kit/account.ts';
import { failPayout, payOut, reconcilePayout } from './balance.ts';
import { expire, failDebit, returnDebit } from './charges.ts';
import { decideDispute, escalate, openDispute, type DisputeFacts } from './disputes.ts';
import { decidePayment, type BuyerDecision } from './intents.ts';
import { detachMethod, renameBuyer, replaceCard, type NewCard } from './new-cards.ts';
import { completeRefund, failRefund } from './refunds.ts';
import { decideSetup } from './setups.ts';
import { keptFee } from './split-rules.ts';
import { chargeOf, type StripeWorld } from './world.ts';

/** Lets the buyer decide. Returns the address to which the page sends the buyer, or null. */
export function decide(world: StripeWorld, id: string, decision: BuyerDecision): string | null {
  const setup = world.setups.get(id);
  return setup
    ? decideSetup(world, setup, decision)
    : decidePayment(world, known(world.payments, id), decision);
}

const FACTS: DisputeFacts = { reason: 'fraudulent', isInquiry: false, isFinal: false };

/** The events that a test decides. */
export const createHands = (world: StripeWorld) => ({
  /** Lets the buyer decide. Returns the address to which the page sends the buyer, or null. */
  decide: (intentId: string, decision: BuyerDecision): string | null => decide(world, intentId, decision),
  /** Lets an authorisation lapse before its time. */
  expire: (paymentId: string): void => expire(world, known(world.payments, paymentId)),
  /** Fails a debit under way, such as with `insufficient_funds`. */
  failDebit: (paymentId: string, code: string): void =>
    failDebit(world, known(world.payments, paymentId), code),
  /** Takes a debit back that had succeeded. */
  returnDebit: (paymentId: string, reason = 'debit_not_authorized'): void =>
    returnDebit(world, known(world.payments, paymentId), reason),
  /** Returns the fee that the platform keeps of a payment. */
  keptFee: (paymentId: string): number => keptFee(known(world.payments, paymentId).wire),
  completeRefund: (refundId: string): void => completeRefund(world, known(world.refunds, refundId)),
  /** Fails a refund, also one that had succeeded. */
  failRefund: (refundId: string, reason = 'expired_or_canceled_card'): void =>
    failRefund(world, known(world.refunds, refundId), reason),
  /** Opens a dispute. Returns its id. */
  dispute: (paymentId: string, facts: Partial<DisputeFacts> = {}): string => {
    const charge = chargeOf(world, known(world.payments, paymentId));
    if (!charge) throw new Error(`The payment ${paymentId} has no charge to dispute.`);
    return openDispute(world, charge, { ...FACTS, ...facts }).id;
  },
  /** Turns an inquiry into a chargeback. */
  escalate: (disputeId: string): void => escalate(world, known(world.disputes, disputeId)),
  decideDispute: (disputeId: string, decision: 'won' | 'lost'): void =>
    decideDispute(world, known(world.disputes, disputeId), decision),
  /** Lets the issuer send a new card for a payment method. */
  replaceCard: (methodId: string, card: NewCard): void => replaceCard(world, methodId, card),
  /** Changes the name of the buyer, and leaves the card. */
  renameBuyer: (methodId: string, name: string): void => renameBuyer(world, methodId, name),
  /** Detaches a payment method from its customer in the Dashboard. */
  detach: (methodId: string): void => detachMethod(world, methodId),
  /** Pays the balance of a currency out. Returns the id of the payout, or null if nothing is left. */
  payOut: (
    currency: string,
    reconciliation: Stripe.Payout['reconciliation_status'] = 'completed',
  ): string | null => {
    const payout = payOut(world, currency);
    if (payout && reconciliation === 'completed') reconcilePayout(world, payout);
    else if (payout) payout.reconciliation_status = reconciliation;
    return payout?.id ?? null;
  },
  /** Lets the entries of a payout be listed. */
  reconcilePayout: (payoutId: string): void => reconcilePayout(world, known(world.payouts, payoutId)),
  failPayout: (payoutId: string): void => failPayout(world, known(world.payouts, payoutId)),
});
