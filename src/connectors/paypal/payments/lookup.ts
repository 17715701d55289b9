import type { Outcome } from '../../outcome.ts';
import type { LookupRequest } from '../../requests.ts';
import type { Order } from '../answers.ts';
import type { Api } from '../exchange.ts';
import { findCapture } from './capture.ts';
import { captureOutcome, orderOutcome, unapproved } from './payment-outcome.ts';
import { readOrder } from './read-order.ts';
import { refundOfOrder } from './refund.ts';
import { cancelOfOrder, voidOfOrder } from './release.ts';

/**
 * Asks for the outcome of an operation. The order has all operations of a payment. PayPal finds no order by our key, so without
 * the order's id the answer is null.
 */
export async function lookup(api: Api, request: LookupRequest): Promise<Outcome | null> {
  if (request.reference === null) return null;
  const read = await readOrder(api, request.reference);
  if ('unknown' in read) return read.unknown;
  return read.order && ofOrder(read.order, request);
}

function ofOrder(order: Order, { verb, key, money, approval }: LookupRequest): Outcome | null {
  switch (verb) {
    case 'authorize':
      return approval === 'expired' ? expired(order) : orderOutcome(order);
    case 'capture': {
      const made = findCapture(order, key);
      return made ? captureOutcome(made) : null;
    }
    case 'refund':
      return refundOfOrder(order, key, money);
    case 'void':
      return voidOfOrder(order, money);
    case 'cancel':
      return cancelOfOrder(order, money);
  }
}

/** Ends a payment whose buyer did not come back in time. An incomplete order holds no money, and nobody completes it any more. */
function expired(order: Order): Outcome {
  const outcome = orderOutcome(order);
  const isComplete = order.status === 'COMPLETED';
  return outcome.kind === 'accepted' && !isComplete
    ? unapproved(order.id, 'incomplete_buyer_approval', order.status)
    : outcome;
}
