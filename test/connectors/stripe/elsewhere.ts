import { cancelPayment, capturePayment, findPayment, incrementPayment } from './intents.ts';
import { createRefund } from './refunds.ts';
import type { StripeWorld } from './world.ts';

/**
 * The hand of a person in the Dashboard, or of another program with the same account. Each act follows Stripe's rules, throws
 * what Stripe refuses, and owes the events of the same call. Nothing has a name of ours. Amounts are in minor units.
 */
export type StripeElsewhere = {
  /** Captures a part or all. Further captures need a payment that takes several. */
  capture(paymentId: string, amount?: number, isFinal?: boolean): void;
  /** Refunds a part, or the rest. Returns the id of the refund. */
  refund(paymentId: string, amount?: number): string;
  cancel(paymentId: string): void;
  /** Raises the authorised amount to a total. */
  increase(paymentId: string, total: number): void;
  /** Removes everything that we wrote to a payment. */
  forget(paymentId: string): void;
};

export const elsewhere = (world: StripeWorld): StripeElsewhere => ({
  capture: (id, amount, isFinal = true) =>
    void capturePayment(world, findPayment(world, id), {
      ...(amount !== undefined && { amount_to_capture: amount }),
      ...(!isFinal && { final_capture: false }),
    }),
  refund: (id, amount) =>
    createRefund(world, { payment_intent: id, ...(amount !== undefined && { amount }) }).id,
  cancel: (id) => void cancelPayment(world, findPayment(world, id), {}),
  increase: (id, total) => void incrementPayment(world, findPayment(world, id), { amount: total }),
  forget: (id) => void (findPayment(world, id).wire.metadata = {}),
});
