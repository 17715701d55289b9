import type { Machine } from '../../../kernel/machine.ts';

/** The states of a transaction. */
export type TransactionStatus =
  | 'processing'
  | 'buyer_approval_pending'
  | 'authorization_succeeded'
  | 'authorization_declined'
  | 'authorization_failed'
  | 'authorization_void_pending'
  | 'authorization_voided'
  | 'capture_pending'
  | 'capture_succeeded';

/**
 * The events of a transaction.
 * - `accept_…`: the provider accepted the operation and decides later.
 * - `refuse_…`: the provider decided against an accepted operation.
 * - `authenticate`: the buyer passed a challenge, and the authorisation goes on.
 * - `retry`: a plan of later tries authorises a refused payment again.
 * - `reverse_capture`: the provider took a capture back.
 * - `expire`: the provider reports that the authorisation has expired.
 * - `…_elsewhere`: the provider reports an operation that nobody requested here.
 */
export type TransactionEvent =
  | 'authorize'
  | 'sale'
  | 'accept_sale'
  | 'decline'
  | 'fail'
  | 'await_buyer'
  | 'authenticate'
  | 'retry'
  | 'cancel'
  | 'capture'
  | 'accept_capture'
  | 'refuse_capture'
  | 'void'
  | 'accept_void'
  | 'refuse_void'
  | 'reverse_capture'
  | 'expire'
  | 'authorize_elsewhere'
  | 'sale_elsewhere'
  | 'capture_elsewhere'
  | 'void_elsewhere';

const undecided = {
  authorize: 'authorization_succeeded',
  sale: 'capture_succeeded',
  accept_sale: 'capture_pending',
  decline: 'authorization_declined',
  fail: 'authorization_failed',
  cancel: 'authorization_failed',
} as const;

/** The late approval of a refused payment, where the merchant account accepts it. */
const late = {
  authorize_elsewhere: 'authorization_succeeded',
  sale_elsewhere: 'capture_succeeded',
} as const;

/** A later try of a refused payment, by its plan. Each try is an authorisation of its own. */
const again = { retry: 'processing' } as const;

/** The operations that the provider makes on an authorised payment. */
const elsewhere = {
  capture_elsewhere: 'capture_succeeded',
  void_elsewhere: 'authorization_voided',
} as const;

/**
 * The statuses of a transaction, with every way out of each. These change a status: `settle`, `takeBack`, `bookElsewhere`, a
 * reroute, a later try, and the end of a challenge. Refunds, increases and re-authorisations never change the status. A
 * captured transaction stays captured, however further captures end.
 */
export const lifecycle = {
  processing: { ...undecided, await_buyer: 'buyer_approval_pending' },
  buyer_approval_pending: { ...undecided, authenticate: 'processing' },
  authorization_succeeded: {
    capture: 'capture_succeeded',
    accept_capture: 'capture_pending',
    void: 'authorization_voided',
    accept_void: 'authorization_void_pending',
    // The provider cancelled after its authorisation, so the authorised amount is released.
    cancel: 'authorization_voided',
    expire: 'authorization_voided',
    ...elsewhere,
  },
  // A confirmed cancel of a payment that is over has nothing left to end.
  authorization_declined: { cancel: 'authorization_declined', ...again, ...late },
  authorization_failed: { cancel: 'authorization_failed', ...again, ...late },
  authorization_void_pending: { void: 'authorization_voided', refuse_void: 'authorization_succeeded' },
  // An authorisation that counted as over may still have been captured at the provider.
  authorization_voided: { capture_elsewhere: 'capture_succeeded' },
  capture_pending: {
    // The end of an accepted sale.
    sale: 'capture_succeeded',
    decline: 'authorization_declined',
    fail: 'authorization_failed',
    cancel: 'authorization_failed',
    // The end of an accepted capture of an authorisation.
    capture: 'capture_succeeded',
    accept_capture: 'capture_pending',
    refuse_capture: 'authorization_succeeded',
    capture_elsewhere: 'capture_succeeded',
  },
  capture_succeeded: {
    capture: 'capture_succeeded',
    accept_capture: 'capture_succeeded',
    refuse_capture: 'capture_succeeded',
    // The capture did succeed once. The amounts say what is left.
    reverse_capture: 'capture_succeeded',
    // The rest can no longer be captured.
    expire: 'capture_succeeded',
    void_elsewhere: 'capture_succeeded',
    capture_elsewhere: 'capture_succeeded',
  },
} as const satisfies Machine<TransactionStatus, TransactionEvent>;

/** Returns the ways of an event: each status before it, with the status after it. */
export function waysOf(
  event: TransactionEvent,
): Readonly<Partial<Record<TransactionStatus, TransactionStatus>>> {
  const machine: Machine<TransactionStatus, TransactionEvent> = lifecycle;
  const statuses = Object.keys(lifecycle) as TransactionStatus[];
  return Object.fromEntries(
    statuses.flatMap((status) => {
      const after = machine[status][event];
      return after ? [[status, after]] : [];
    }),
  );
}
