import type Stripe from 'stripe';
import { emit, seconds, type StripeWorld } from './world.ts';

const DAY_SECONDS = 86_400;

/** The fee of a card payment: 2.9 % and 30, rounded half up in minor units. */
export const feeOf = (amount: number): number => Math.floor((amount * 29 + 500) / 1000) + 30;

/** The cost of a dispute in minor units. */
export const DISPUTE_FEE = 1_500;

const CATEGORIES: Readonly<Record<string, string>> = {
  ...{ charge: 'charge', payment: 'charge', refund: 'refund', payment_refund: 'refund' },
  ...{ refund_failure: 'refund_failure', payment_failure_refund: 'refund_failure' },
  ...{ adjustment: 'dispute', payout: 'payout', stripe_fee: 'fee' },
};

/** Books an entry on the balance. The amount has a sign, and the fee is a cost. */
export function book(
  world: StripeWorld,
  entry: {
    readonly type: Stripe.BalanceTransaction.Type;
    readonly amount: number;
    readonly fee?: number;
    readonly currency: string;
    readonly source: string;
    readonly category?: string;
    readonly description?: string;
  },
): Stripe.BalanceTransaction {
  const { type, amount, fee = 0, currency, source } = entry;
  const booked: Stripe.BalanceTransaction = {
    ...{ id: world.newId('txn'), object: 'balance_transaction', amount },
    available_on: seconds(world) + 2 * DAY_SECONDS,
    ...{ balance_type: 'payments', created: seconds(world), currency },
    ...{ description: entry.description ?? null, exchange_rate: null, fee },
    fee_details:
      fee === 0
        ? []
        : [
            {
              ...{ amount: fee, application: null, currency, description: 'Stripe processing fees' },
              type: 'stripe_fee',
            },
          ],
    ...{ net: amount - fee, reporting_category: entry.category ?? CATEGORIES[type] ?? type, source },
    ...{ status: 'pending', type },
  };
  world.entries.set(booked.id, booked);
  return booked;
}

/** Pays out the whole balance of a currency, to be reconciled later. Returns null when there is nothing to pay out. */
export function payOut(world: StripeWorld, currency: string): Stripe.Payout | null {
  const entries = [...world.entries.values()].filter(
    (each) => each.currency === currency && !world.paidOut.has(each.id) && each.type !== 'payout',
  );
  const amount = entries.reduce((sum, { net }) => sum + net, 0);
  if (amount <= 0) return null;
  const id = world.newId('po');
  for (const each of entries) {
    world.paidOut.set(each.id, id);
    each.status = 'available';
  }
  const booked = book(world, { type: 'payout', amount: -amount, currency, source: id });
  world.paidOut.set(booked.id, id);
  const payout: Stripe.Payout = {
    ...{ id, object: 'payout', amount, application_fee: null, application_fee_amount: null },
    ...{ arrival_date: seconds(world) + DAY_SECONDS, automatic: true, balance_transaction: booked.id },
    ...{ created: seconds(world), currency, description: 'STRIPE PAYOUT', destination: world.newId('ba') },
    ...{ failure_balance_transaction: null, failure_code: null, failure_message: null, livemode: false },
    ...{ metadata: {}, method: 'standard', original_payout: null, payout_method: null },
    ...{ reconciliation_status: 'in_progress', reversed_by: null, source_type: 'card' },
    ...{ statement_descriptor: null, status: 'paid', trace_id: null, type: 'bank_account' },
  };
  world.payouts.set(id, payout);
  for (const type of ['payout.created', 'payout.paid']) emit(world, type, payout);
  return payout;
}

/** From now on the entries of a payout can be listed. */
export function reconcilePayout(world: StripeWorld, payout: Stripe.Payout): void {
  payout.reconciliation_status = 'completed';
  emit(world, 'payout.reconciliation_completed', payout);
}

/** True for an entry in the list of a payout. Before the reconciliation, Stripe lists none. */
export const isListedOf = (world: StripeWorld, payout: string, entry: string): boolean =>
  world.payouts.get(payout)?.reconciliation_status === 'completed' && world.paidOut.get(entry) === payout;

/** Sends the money of a payout back, because its bank account does not take it. */
export function failPayout(world: StripeWorld, payout: Stripe.Payout): void {
  payout.status = 'failed';
  payout.failure_code = 'account_closed';
  payout.failure_message = 'The bank account has been closed.';
  const { amount, currency, id } = payout;
  const booked = book(world, {
    type: 'payout_failure',
    amount,
    currency,
    source: id,
    category: 'payout_reversal',
  });
  payout.failure_balance_transaction = booked.id;
  emit(world, 'payout.failed', payout);
}
