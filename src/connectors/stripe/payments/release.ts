import {
  refusedBefore,
  type CallContext,
  type Outcome,
  type CancelRequest,
  type FollowUpRequest,
  type Money,
} from '../../door.ts';
import { LOOK_FIRST, refusalOf } from '../errors/errors.ts';
import { IMPOSSIBLE } from '../errors/impossible.ts';
import type { Api } from '../api/exchange.ts';
import { takeKey } from './fence.ts';
import { findAuthorization } from './find-authorization.ts';
import { UNREADABLE } from './intent-outcome.ts';
import { isSetup, pathOf, readIntent, readPayment, type Intent } from '../api/read-payment.ts';

/** Releases an authorisation that is not captured. Stripe cancels the payment. */
export const voidPayment = (api: Api, { key, reference, money }: FollowUpRequest): Promise<Outcome> =>
  release(api, reference, { key, money });

/**
 * Ends a payment that is not authorised yet. Stripe cancels a payment by its own id alone.
 *
 * Without an id, the payment is searched. If Stripe has none, an empty payment takes the key of the authorisation.
 */
export async function cancel(
  api: Api,
  context: Pick<CallContext, 'definition'>,
  request: CancelRequest,
): Promise<Outcome> {
  const { authorizationKey, reference, money } = request;
  if (reference !== null) return release(api, reference, request);
  const found = await findAuthorization(api, { key: authorizationKey, reference, money, createdAt: null });
  if (found !== null && 'kind' in found) return found;
  if (found !== null) return release(api, found.id, request);
  const answer = await takeKey(api, context, { key: authorizationKey, money, verb: 'cancel' });
  if (answer === null) return refusedBefore(IMPOSSIBLE.amount);
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  const made = answer.kind === 'answered' ? readIntent(answer.body) : null;
  return made ? release(api, made.id, request) : { kind: 'unknown', cause: 'server_error' };
}

type Released = { readonly key: string; readonly money: Money };

async function release(api: Api, reference: string, { key, money }: Released): Promise<Outcome> {
  const answer = await api.post(`${pathOf(reference)}/cancel`, {}, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'answered') {
    const intent = readIntent(answer.body);
    return (intent && releaseOutcome(intent, money)) ?? UNREADABLE;
  }
  if (!LOOK_FIRST.has(answer.error.code ?? '')) return refusalOf(answer.error, reference);
  const read = await readPayment(api, reference);
  if ('unknown' in read) return read.unknown;
  return (read.intent && releaseOutcome(read.intent, money)) ?? refusalOf(answer.error, reference);
}

/**
 * Returns a success if the payment is canceled. Null for every other state: nothing was released.
 *
 * Somebody may have captured a part elsewhere before. Then the request has failed, because it was to release all. The payment
 * itself tells the capture and the released rest.
 */
export function releaseOutcome(intent: Intent, money: Money): Outcome | null {
  if (intent.status !== 'canceled') return null;
  const known = { reference: intent.id, rawResponseCode: null, rawResponseDescription: null };
  return !isSetup(intent) && intent.amount_received > 0
    ? { kind: 'failed', errorCode: 'unexpected_state', ...known }
    : { kind: 'succeeded', money, ...known };
}
