import { endOfDebit } from './bank-debits.ts';
import type { SimulatorReply, SimulatorRequest } from './simulator.ts';

/** A webhook of the sandbox provider about a success that it takes back, without the id of the event. */
export type TakeBackWebhook = {
  readonly event: 'capture.reversed' | 'refund.reversed' | 'authorization.expired';
  readonly idempotency_key: string;
  readonly payment_service_reference: string;
  readonly code: string;
  /** Present for a part. */
  readonly amount?: number;
  readonly currency?: string;
  readonly reversal_reference?: string;
};

/** The amounts whose success the provider takes back later: the whole, or 1 minor unit of it. */
export const takenBackLater = {
  capture: { whole: 660001, part: 660002, code: 'insufficient_funds' },
  refund: { whole: 670001, part: 670002, code: 'unavailable_payment_method' },
  authorize: { whole: 680001, code: 'expired_authorization' },
} as const;

/**
 * Returns the webhook that follows the answer to a request, or null for most requests. Pure, like the answer. A sale is a
 * capture here.
 */
export function simulateTakeBack(
  { operation, amount, currency, capture, idempotency_key: key }: SimulatorRequest,
  { result, id }: SimulatorReply,
): TakeBackWebhook | null {
  if (result !== 'approved') return null;
  const end = endOfDebit(id);
  const named = { idempotency_key: key, payment_service_reference: id };
  if (end !== null && end !== 'settles') return { ...named, event: 'capture.reversed', code: end.code };
  const isSale = operation === 'authorize' && capture === true;
  if (operation === 'authorize' && !isSale) {
    const { whole, code } = takenBackLater.authorize;
    return amount === whole ? { ...named, event: 'authorization.expired', code } : null;
  }
  const subject = isSale ? 'capture' : operation;
  if (subject !== 'capture' && subject !== 'refund') return null;
  const { whole, part, code } = takenBackLater[subject];
  if (amount !== whole && amount !== part) return null;
  return {
    ...{ ...named, event: `${subject}.reversed`, code },
    ...(amount === part && { amount: 1, currency, reversal_reference: `rev_${id}` }),
  };
}
