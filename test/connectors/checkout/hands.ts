import { known } from '../kit/account.ts';
import { decideOpen } from './changes.ts';
import { decideDispute, openDispute, type DisputeFacts } from './disputes.ts';
import { decideBuyer, expire } from './payments.ts';
import { makeToken } from './tokens.ts';
import type { NextCode, World } from './world.ts';

/** The events that a test decides. */
export const createHands = (world: World) => ({
  /** Makes a token, as the software in the buyer's client does. */
  clientToken: (): string => makeToken(world, '{}').token,
  /** Lets the buyer decide. Returns the address to which the page sends the buyer, or null. */
  decide: (paymentId: string, decision: 'approve' | 'refuse'): string | null =>
    decideBuyer(world, known(world.payments, paymentId), decision),
  /** Gives the next action of a type this response code. */
  answerNext: (type: NextCode['type'], code: string): void => void world.nextCodes.push({ type, code }),
  /** Decides the changes that were only received. */
  decideOpen: (): void => decideOpen(world),
  /** Lets an authorisation lapse before its time. */
  expire: (paymentId: string): void => expire(world, known(world.payments, paymentId)),
  /** Opens a dispute about a captured payment. Returns its id. */
  dispute: (paymentId: string, facts: Partial<DisputeFacts> = {}): string => {
    const payment = known(world.payments, paymentId);
    const usual = { category: 'fraudulent', reasonCode: '10.4', amount: payment.amount };
    return openDispute(world, payment, { ...usual, ...facts }).id;
  },
  decideDispute: (disputeId: string, status: string, resolvedReason: string | null = null): void =>
    decideDispute(world, known(world.disputes, disputeId), status, resolvedReason),
});
