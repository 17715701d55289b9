import { chargeOf, type Payment, type Step, type StripeWorld } from './world.ts';

/** A payment as the provider carried it out, for judges. Amounts are in minor units as Stripe has them. */
export type BookedPayment = {
  readonly id: string;
  /** The idempotency key of the creation, and the metadata, which name the operation of Paygraph. */
  readonly key: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: string;
  readonly currency: string;
  readonly asked: number;
  /** The authorised amount at its highest, 0 without an authorisation. */
  readonly authorized: number;
  /** The authorised amount that is still held. */
  readonly held: number;
  readonly captured: number;
  readonly captures: readonly Step[];
  readonly increments: readonly Step[];
  /** The scheme's id of an earlier payment that the request gave. */
  readonly earlierId: string | null;
  readonly isByNetworkToken: boolean;
  /** The amount of refunds that did not fail. */
  readonly refunded: number;
  readonly refunds: readonly BookedRefund[];
  readonly disputes: readonly {
    readonly id: string;
    readonly amount: number;
    readonly status: string;
    readonly reason: string;
  }[];
};

export type BookedRefund = {
  readonly id: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly amount: number;
  readonly status: string;
};

export type StripeBooks = {
  readonly payments: readonly BookedPayment[];
  readonly payouts: readonly {
    readonly id: string;
    readonly amount: number;
    readonly currency: string;
    readonly status: string;
  }[];
};

/** Lists everything that moved money, oldest first. */
export const booksOf = (world: StripeWorld): StripeBooks => ({
  payments: [...world.payments.values()].map((payment) => bookOf(world, payment)),
  payouts: [...world.payouts.values()].map(({ id, amount, currency, status }) => ({
    ...{ id, amount, currency, status },
  })),
});

function bookOf(world: StripeWorld, payment: Payment): BookedPayment {
  const { wire, key, authorized, captures, increments, earlierId, method } = payment;
  const charge = chargeOf(world, payment);
  const refunds = [...world.refunds.values()]
    .filter((each) => each.payment_intent === wire.id)
    .map(({ id, metadata, amount, status }) => ({
      ...{ id, metadata: { ...metadata }, amount, status: String(status) },
    }));
  return {
    ...{ id: wire.id, key, metadata: { ...wire.metadata }, status: wire.status, currency: wire.currency },
    ...{ asked: wire.amount, authorized, held: wire.amount_capturable, captured: wire.amount_received },
    ...{ captures: [...captures], increments: [...increments] },
    ...{ earlierId, isByNetworkToken: method?.isNetworkToken ?? false },
    refunded: refunds
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + amount, 0),
    refunds,
    disputes: [...world.disputes.values()]
      .filter((each) => charge !== null && each.charge === charge.id)
      .map(({ id, amount, status, reason }) => ({ id, amount, status, reason })),
  };
}
