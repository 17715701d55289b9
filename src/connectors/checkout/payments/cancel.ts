import {
  refusedBefore,
  type CancelRequest,
  type FollowUpRequest,
  type Money,
  type Outcome,
} from '../../door.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { actionOutcome, findChange } from './action-outcome.ts';
import { release } from './change.ts';
import type { WholePayment } from './payment-outcome.ts';
import { findPayment } from './read-payment.ts';

/**
 * Ends a payment that is not authorised yet, or releases one that was approved too late.
 *
 * - Checkout.com cancels no payment whose buyer is at its page. The page ends after 15 minutes. Until then the cancel is `unknown`.
 *   Its look-up releases what the buyer may have approved.
 * - A repeat that finds no payment succeeds. Nobody sends a payment during its cancel, and the repeat comes two hours after the
 *   cancel. So no request for the payment is on its way any more.
 */
export async function cancel(api: Api, request: CancelRequest): Promise<Outcome> {
  const { authorizationKey, reference, key, money, isRepeat } = request;
  const found = await findPayment(api, { key: authorizationKey, reference });
  if (found === null) return isRepeat ? heldNothing(key, money) : UNDECIDED;
  return 'kind' in found ? found : endWhole(api, found, request);
}

type Cancelled = Pick<FollowUpRequest, 'key' | 'money' | 'isRepeat'>;

/** Releases a payment that holds money, or returns the outcome of its cancel. A second release releases nothing more. */
export async function endWhole(
  api: Api,
  whole: WholePayment,
  { key, money, isRepeat }: Cancelled,
): Promise<Outcome> {
  const outcome = cancelOutcome(whole, { key, money });
  if (outcome !== null) return outcome;
  const released = { key, reference: whole.payment.id, money, ...(isRepeat && { isRepeat }) };
  return release(api, released, 'cancel');
}

/** The search is late, or the buyer may still approve. */
const UNDECIDED: Outcome = { kind: 'unknown', cause: 'server_error' };

/** Returns the outcome of a cancel by its payment. Null for a payment that has to be released first. */
export function cancelOutcome(
  { payment: { id, status }, actions }: WholePayment,
  { key, money }: Pick<Cancelled, 'key' | 'money'>,
): Outcome | null {
  const released = findChange(actions, key);
  if (released) return actionOutcome(released, money.currency);
  if (status === 'Authorized') return null;
  if (CAPTURED.has(status)) return refusedBefore(IMPOSSIBLE.captured);
  if (!HOLDING_NOTHING.has(status)) return UNDECIDED;
  return heldNothing(id, money, status);
}

/** Returns the success of a cancel without a release. Our key stands in for the id of a payment that never arrived. */
const heldNothing = (reference: string, money: Money, status: string | null = null): Outcome => ({
  ...{ kind: 'succeeded', reference, money, rawResponseCode: status, rawResponseDescription: null },
});

const HOLDING_NOTHING: ReadonlySet<string> = new Set(['Declined', 'Canceled', 'Expired', 'Voided']);

const CAPTURED: ReadonlySet<string> = new Set([
  ...['Captured', 'Partially Captured', 'Partially Refunded', 'Refunded'],
]);
