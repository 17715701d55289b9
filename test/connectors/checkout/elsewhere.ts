import { known } from '../kit/account.ts';
import { capture, decideOpen, refund, release } from './changes.ts';
import type { Names, Payment, World } from './world.ts';

/**
 * The hand of a person in the Dashboard, or of another program with the same account. Each act follows the rules of Checkout.com,
 * throws what Checkout.com refuses, and owes the event of the same call. The act has copies of the names of its payment. Amounts are
 * in minor units.
 */
export const elsewhere = (world: World) => {
  const act = (id: string, does: (payment: Payment, names: Names) => { readonly id: string }): string => {
    const payment = known(world.payments, id);
    const made = does(payment, payment);
    decideOpen(world);
    return made.id;
  };
  const bodyOf = ({ reference, metadata }: Names, amount?: number) => ({
    ...(reference !== null && { reference }),
    ...{ metadata: { ...metadata }, ...(amount !== undefined && { amount }) },
  });
  return {
    /** Captures a part or the rest. Returns the id of the action. */
    capture: (id: string, amount?: number, isFinal = true): string =>
      act(id, (payment, names) => {
        const body = {
          ...bodyOf(names, amount),
          capture_type: isFinal ? ('Final' as const) : ('NonFinal' as const),
        };
        return capture(world, payment, { body, key: null });
      }),
    /** Refunds a part or the rest. Returns the id of the action. */
    refund: (id: string, amount?: number): string =>
      act(id, (payment, names) => refund(world, payment, { body: bodyOf(names, amount), key: null })),
    void: (id: string): string =>
      act(id, (payment, names) => release(world, payment, { body: bodyOf(names), key: null })),
  };
};
