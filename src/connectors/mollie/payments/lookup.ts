import { refusedBefore, type LookupRequest, type Outcome } from '../../door.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { CAPTURES, findPart, REFUNDS } from './make-part.ts';
import { ENDED, paymentOutcome } from './payment-outcome.ts';
import { readPayment } from './read-payment.ts';
import { releaseOf } from './release.ts';
import { findPayment } from './search.ts';

/** Reads the outcome of an operation. Null if Mollie does not know the operation. */
export async function lookup(api: Api, request: LookupRequest): Promise<Outcome | null> {
  const { verb, key, reference, money } = request;
  switch (verb) {
    case 'authorize': {
      const read = await (reference === null ? findPayment(api, request) : readPayment(api, reference));
      return read === null || 'kind' in read ? read : paymentOutcome(read);
    }
    case 'capture':
      return reference === null ? null : findCapture(api, { key, reference });
    case 'refund':
      return reference === null ? null : findPart(api, REFUNDS, { key, reference });
    case 'void':
    case 'cancel': {
      const read = reference === null ? null : await readPayment(api, reference);
      return read === null || 'kind' in read ? read : releaseOf(read, money);
    }
    default:
      return null;
  }
}

/**
 * Finds a capture. A payment that is not held takes no capture, however late the request comes. So a capture that the list lacks
 * after the payment was seen to be closed was never made.
 */
async function findCapture(
  api: Api,
  { key, reference }: { readonly key: string; readonly reference: string },
): Promise<Outcome | null> {
  const payment = await readPayment(api, reference);
  if (payment === null || 'kind' in payment) return payment;
  const found = await findPart(api, CAPTURES, { key, reference });
  const isClosed = payment.status === 'paid' || ENDED.has(payment.status);
  return found ?? (isClosed ? refusedBefore(IMPOSSIBLE.closed) : null);
}
