import {
  refusedBefore,
  type CancelRequest,
  type FollowUpRequest,
  type Money,
  type Outcome,
  type Unknown,
} from '../../door.ts';
import { amountToWire } from '../amount.ts';
import type { Payment } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { succeeded } from './make-part.ts';
import { ENDED, paymentOutcome } from './payment-outcome.ts';
import { NOWHERE, type MolliePayment } from './payment-wire.ts';
import { parsePayment, paymentPath, PAYMENTS, readPayment, UNREADABLE } from './read-payment.ts';
import { findPayment } from './search.ts';

/** A state in which a later look may say more. */
const UNDECIDED: Unknown = { kind: 'unknown', cause: 'server_error' };

/** Releases the part of an authorisation that is not captured. Mollie only receives the request, and the bank decides. */
export async function voidPayment(api: Api, { key, reference, money }: FollowUpRequest): Promise<Outcome> {
  const answer = await api.post(paymentPath(reference, '/release-authorization'), null, key);
  if (answer.kind === 'unknown') return answer.unknown;
  const read = await readPayment(api, reference);
  const released = read && !('kind' in read) ? releaseOf(read, money) : null;
  if (released) return released;
  if (answer.kind === 'refused') return read && 'kind' in read ? read : refusalOf(answer.error, reference);
  return { kind: 'accepted', reference, rawResponseCode: null, rawResponseDescription: null };
}

/** Returns the outcome of a release by the payment. Null while the money is held. */
export function releaseOf({ id, status }: Payment, money: Money): Outcome | null {
  if (ENDED.has(status)) return succeeded(id, money);
  return status === 'paid' ? refusedBefore(IMPOSSIBLE.captured) : null;
}

/** Ends a payment that is not authorised yet, or releases a payment that was authorised meanwhile. */
export async function cancel(api: Api, request: CancelRequest): Promise<Outcome> {
  const { key, reference, authorizationKey, money, createdAt } = request;
  if (reference !== null) return cancelNamed(api, { key, reference, money });
  const found = await findPayment(api, { key: authorizationKey, createdAt });
  if (found === null) return fence(api, request);
  return 'kind' in found ? found : cancelNamed(api, { key, reference: found.id, money });
}

/**
 * Cancels a payment. A payment that Mollie does not cancel ends by itself in a while. Its cancel stays unknown until then, because
 * the buyer may still pay.
 */
async function cancelNamed(api: Api, { key, reference, money }: FollowUpRequest): Promise<Outcome> {
  const answer = await api.delete(paymentPath(reference), key);
  if (answer.kind === 'unknown') return answer.unknown;
  const read =
    answer.kind === 'answered' ? parsePayment(api, answer.body) : await readPayment(api, reference);
  if (read && 'kind' in read) return read;
  return (read && releaseOf(read, money)) ?? UNDECIDED;
}

/** The time for which Mollie surely keeps a key. */
const KEPT_MS = 50 * 60_000;

/**
 * Takes the key of an authorisation that Mollie does not show, with a payment that nobody can pay. An earlier request has the key if
 * Mollie refuses this one, and a later request is then refused. Proves nothing after Mollie has forgotten the key.
 */
async function fence(api: Api, { authorizationKey, money, createdAt }: CancelRequest): Promise<Outcome> {
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const body: MolliePayment = {
    ...{ amount, description: authorizationKey, redirectUrl: NOWHERE },
    // A search for the payment must not find the fence.
    metadata: { paygraph_fence: authorizationKey },
  };
  const answer = await api.post(PAYMENTS, body, authorizationKey);
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  const made = answer.kind === 'answered' ? parsePayment(api, answer.body) : null;
  const mayBeSecond = !made?.createdAt || made.createdAt.getTime() > createdAt.getTime() + KEPT_MS;
  return made && !mayBeSecond ? succeeded(made.id, money) : UNDECIDED;
}

/**
 * Ends a payment whose buyer did not come back in time. A payment that Mollie does not cancel ends by
 * itself. The buyer may pay until then.
 */
export async function abandon(api: Api, { key, reference }: FollowUpRequest): Promise<Outcome> {
  const read = await readPayment(api, reference);
  if (read === null) return UNREADABLE;
  if ('kind' in read || read.status !== 'open' || read.isCancelable !== true) return stateOf(read);
  const answer = await api.delete(paymentPath(reference), key);
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  const after =
    answer.kind === 'answered' ? parsePayment(api, answer.body) : await readPayment(api, reference);
  return after === null ? UNREADABLE : stateOf(after);
}

/** Returns the outcome of a payment at the end of the buyer's time. A cancel then is our own, and none of the buyer. */
function stateOf(read: Payment | Unknown): Outcome {
  if ('kind' in read) return read;
  const outcome = paymentOutcome(read);
  return outcome.kind === 'failed' && outcome.errorCode === 'cancelled_buyer_approval'
    ? { ...outcome, errorCode: 'incomplete_buyer_approval' }
    : outcome;
}
