import type { Outcome, Unknown, LookupRequest } from '../../door.ts';
import type { Order } from '../answers.ts';
import type { Api } from '../exchange.ts';
import { findCapture } from './capture.ts';
import { captureOutcome, orderOutcome, unapproved } from './payment-outcome.ts';
import { readOrder } from './read-order.ts';
import { refundOfOrder } from './refund.ts';
import { cancelOfOrder, voidOfOrder } from './release.ts';
import { findOrder } from './search.ts';

/**
 * Asks for the outcome of an operation. The order has all operations of a payment. Without the order's id, the transaction
 * search may know the order of an authorisation.
 */
export async function lookup(api: Api, request: LookupRequest): Promise<Outcome | null> {
  const found = await orderIdOf(api, request);
  if (found === null || 'kind' in found) return found;
  const read = await readOrder(api, found.id);
  // A look-up that never left says nothing about the operation, so only the cause counts.
  if ('unknown' in read) return { kind: 'unknown', cause: read.unknown.cause };
  return read.order && ofOrder(read.order, request);
}

async function orderIdOf(
  api: Api,
  request: LookupRequest,
): Promise<{ readonly id: string } | Unknown | null> {
  if (request.reference !== null) return { id: request.reference };
  // Only the payment leads to its other operations.
  return request.verb === 'authorize' ? findOrder(api, request) : null;
}

function ofOrder(order: Order, { verb, key, money, approval, resuming }: LookupRequest): Outcome | null {
  switch (verb) {
    case 'authorize':
      return approval === 'expired' && !resuming ? expired(order) : orderOutcome(order);
    case 'capture': {
      const made = findCapture(order, key);
      return made ? captureOutcome(made) : null;
    }
    case 'refund':
      return refundOfOrder(order, key, money);
    case 'void':
      return voidOfOrder(order, money);
    // An order does not tell which request renewed its authorisation.
    case 'increase':
    case 'reauthorize':
      return null;
    case 'cancel':
      return cancelOfOrder(order, money);
  }
}

/**
 * Ends a payment whose buyer did not come back in time. An incomplete order holds no money. Nobody completes the order any more,
 * because a late request to complete it would have arrived.
 */
function expired(order: Order): Outcome {
  const outcome = orderOutcome(order);
  const isComplete = order.status === 'COMPLETED';
  return outcome.kind === 'accepted' && !isComplete
    ? unapproved(order.id, 'incomplete_buyer_approval', order.status)
    : outcome;
}
