import { cancelPayment, capturePayment, findPayment, incrementPayment } from './intents.ts';
import { createRefund } from './refunds.ts';
import type { StripeWorld } from './world.ts';

/**
 * The hand of a person in the Dashboard, or of another program with the same account. Each act follows Stripe's rules, throws
 * what Stripe refuses, and owes the events of the same call. Nothing has a name of ours. Amounts are in minor units.
 */
export const elsewhere = (world: StripeWorld) => ({
  /** Captures a part or all. Further captures need a payment that takes several. */
  capture: (id: string, amount?: number, isFinal = true): void =>
    void capturePayment(world, findPayment(world, id), {
      ...(amount !== undefined && { amount_to_capture: amount }),
      ...(!isFinal && { final_capture: false }),
    }),
  /** Refunds a part, or the rest. Returns the id of the refund. */
  refund: (id: string, amount?: number): string =>
    createRefund(world, { payment_intent: id, ...(amount !== undefined && { amount }) }).id,
  cancel: (id: string): void => void cancelPayment(world, findPayment(world, id), {}),
  /** Raises the authorised amount to a total. */
  increase: (id: string, total: number): void =>
    void incrementPayment(world, findPayment(world, id), { amount: total }),
  /** Removes everything that we wrote to a payment. */
  forget: (id: string): void => void (findPayment(world, id).wire.metadata = {}),
});
