import { refusedBefore, type CancelRequest, type FollowUpRequest, type Outcome } from '../../door.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { actionOutcome, findChange } from './action-outcome.ts';
import { release } from './change.ts';
import type { WholePayment } from './payment-outcome.ts';
import { findPayment } from './read-payment.ts';

/**
 * Ends a payment that is not authorised yet, or releases one that was approved too late.
 *
 * Checkout.com cancels no payment whose buyer is at its page. The page ends after 15 minutes. Until then the cancel is `unknown`, and
 * its repeat releases what the buyer may have approved.
 */
export async function cancel(api: Api, request: CancelRequest): Promise<Outcome> {
  const { authorizationKey, reference, key, money, isRepeat } = request;
  const found = await findPayment(api, { key: authorizationKey, reference });
  if (found !== null && 'kind' in found) return found;
  const outcome = found && cancelOutcome(found, request);
  if (found === null || outcome !== null) return outcome ?? UNDECIDED;
  const released = { key, reference: found.payment.id, money, ...(isRepeat && { isRepeat }) };
  return release(api, released, 'cancel');
}

/** The search is late, or the buyer may still approve. */
const UNDECIDED: Outcome = { kind: 'unknown', cause: 'server_error' };

type Cancelled = Pick<FollowUpRequest, 'key' | 'money'>;

/** Returns the outcome of a cancel by its payment. Null for a payment that has to be released first. */
export function cancelOutcome(
  { payment: { id, status }, actions }: WholePayment,
  { key, money }: Cancelled,
): Outcome | null {
  const released = findChange(actions, key);
  if (released) return actionOutcome(released, money.currency);
  if (status === 'Authorized') return null;
  if (CAPTURED.has(status)) return refusedBefore(IMPOSSIBLE.captured);
  if (!HOLDING_NOTHING.has(status)) return UNDECIDED;
  const words = { rawResponseCode: status, rawResponseDescription: null };
  return { kind: 'succeeded', reference: id, money, ...words };
}

const HOLDING_NOTHING: ReadonlySet<string> = new Set(['Declined', 'Canceled', 'Expired', 'Voided']);

const CAPTURED: ReadonlySet<string> = new Set([
  ...['Captured', 'Partially Captured', 'Partially Refunded', 'Refunded'],
]);
