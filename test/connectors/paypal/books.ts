import { refundedOf, usedOf } from './payments.ts';
import type { Authorization, Capture, Order, PayPalWorld, Refund } from './world.ts';

/** A payment as the provider carried it out, for judges. Amounts are in minor units of PayPal's decimals. */
export type BookedPayment = {
  readonly id: string;
  readonly requestId: string | null;
  readonly customId: string | null;
  readonly invoiceId: string | null;
  readonly intent: 'AUTHORIZE' | 'CAPTURE';
  readonly status: string;
  readonly currency: string;
  readonly asked: number;
  /** The authorised amount, 0 without an authorisation. A sale has none. */
  readonly authorized: number;
  readonly authorizations: readonly BookedOperation[];
  /** The authorised amount that is still held. */
  readonly held: number;
  /** The amount of the captures that completed, also when they were refunded later. */
  readonly captured: number;
  readonly captures: readonly BookedOperation[];
  readonly refunded: number;
  readonly refunds: readonly BookedOperation[];
  /** The amount that PayPal took back from the merchant. */
  readonly reversed: number;
  readonly disputes: readonly {
    readonly id: string;
    readonly amount: number;
    readonly status: string;
    readonly outcome: string | null;
  }[];
};

export type BookedOperation = {
  readonly id: string;
  readonly requestId: string | null;
  readonly customId: string | null;
  readonly invoiceId: string | null;
  readonly amount: number;
  readonly status: string;
};

export type PayPalBooks = { readonly payments: readonly BookedPayment[] };

/** Lists everything that moved money, oldest first. */
export const booksOf = (world: PayPalWorld): PayPalBooks => ({
  payments: [...world.orders.values()].map((order) => bookOf(world, order)),
});

const WITH_MONEY = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];

function bookOf(world: PayPalWorld, order: Order): BookedPayment {
  const ofOrder = <Value extends { readonly orderId: string }>(
    objects: ReadonlyMap<string, Value>,
  ): Value[] => [...objects.values()].filter(({ orderId }) => orderId === order.id);
  const authorizations = ofOrder(world.authorizations);
  const captures = ofOrder(world.captures);
  const refunds = ofOrder(world.refunds);
  const authorization = authorizations
    .filter(({ status }) => status !== 'DENIED' && status !== 'PENDING')
    .at(-1);
  const isHeld = authorization?.status === 'CREATED' || authorization?.status === 'PARTIALLY_CAPTURED';
  const { id, requestId, unit, intent, status, amount } = order;
  const { custom_id = null, invoice_id = null } = unit as Readonly<Record<string, string>>;
  return {
    ...{ id, requestId, customId: custom_id, invoiceId: invoice_id, intent, status },
    ...{ currency: amount.currency, asked: amount.minor, authorized: authorization?.amount.minor ?? 0 },
    authorizations: authorizations.map(operationOf),
    held: authorization && isHeld ? authorization.amount.minor - usedOf(world, authorization) : 0,
    captured: sum(captures.filter((each) => WITH_MONEY.includes(each.status))),
    captures: captures.map(operationOf),
    refunded: captures.reduce((total, each) => total + refundedOf(world, each), 0),
    refunds: refunds.filter(({ isReversal }) => !isReversal).map(operationOf),
    reversed: sum(refunds.filter(({ isReversal }) => isReversal)),
    disputes: [...world.disputes.values()]
      .filter(({ captureId }) => captures.some((each) => each.id === captureId))
      .map((each) => ({
        id: each.id,
        amount: each.amount.minor,
        status: each.status,
        outcome: each.outcome,
      })),
  };
}

const sum = (operations: readonly (Capture | Refund)[]): number =>
  operations.reduce((total, { amount }) => total + amount.minor, 0);

const operationOf = ({
  id,
  requestId,
  customId,
  invoiceId,
  amount,
  status,
}: Authorization | Capture | Refund): BookedOperation => ({
  ...{ id, requestId, customId, invoiceId, amount: amount.minor, status },
});
