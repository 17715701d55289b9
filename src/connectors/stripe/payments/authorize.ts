import {
  refusedBefore,
  type CallContext,
  type Outcome,
  type AuthorizeRequest,
  type ResumeRequest,
} from '../../door.ts';
import { toStripe } from '../model/amount.ts';
import { announced } from './announce.ts';
import { takeKey } from './fence.ts';
import { paymentIntent, setupIntent, type PaymentIntent, type SetupIntent } from '../api/answers.ts';
import { isRefusingActions } from '../wire/card-options-wire.ts';
import { refusalOf } from '../errors/errors.ts';
import { IMPOSSIBLE } from '../errors/impossible.ts';
import type { Answer, Api } from '../api/exchange.ts';
import { authorizationOutcome, isTrap, setupOutcome, UNREADABLE } from './intent-outcome.ts';
import { paymentIntentToWire, setupIntentToWire } from '../wire/intent-wire.ts';
import { splitsToWire } from '../wire/splits-wire.ts';
import { prepareMeans } from './means.ts';
import {
  isSetup,
  pathOf,
  PAYMENT_INTENTS,
  readIntent,
  readPayment,
  SETUP_INTENTS,
} from '../api/read-payment.ts';

/**
 * Authorises a payment, or stores a payment method without one where the amount is 0.
 *
 * The means come first, under keys of their own. The intent has the bare key, so there is one payment however often the
 * authorisation is repeated.
 */
export async function authorize(api: Api, context: CallContext, request: AuthorizeRequest): Promise<Outcome> {
  const amount = toStripe(request.money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const shares = splitsToWire(request.splits, request.money.currency, context);
  if (!shares.ok) return refusedBefore(shares.refusals[0]);
  const prepared = await prepareMeans(api, context, request);
  if ('outcome' in prepared) return prepared.outcome;
  if ('refusal' in prepared) return afterRefusal(api, context, request, prepared.refusal);
  const requested = { request, means: prepared.means, context, shares: shares.value };
  return amount.amount === 0
    ? setUp(api, request, await api.post(SETUP_INTENTS, setupIntentToWire(requested), request.key))
    : pay(api, request, await api.post(PAYMENT_INTENTS, paymentIntentToWire(requested, amount), request.key));
}

/**
 * Ends an authorisation whose card Stripe refuses on a repeat. An empty payment takes the key first, so that no earlier request
 * pays any more. If one has arrived, a look-up finds its outcome.
 */
async function afterRefusal(
  api: Api,
  context: CallContext,
  { key, money }: AuthorizeRequest,
  refused: Outcome,
): Promise<Outcome> {
  const answer = await takeKey(api, context, { key, money, verb: 'refuse' });
  if (answer === null) return refusedBefore(IMPOSSIBLE.amount);
  if (answer.kind === 'unknown') return answer.unknown;
  const empty = answer.kind === 'answered' ? readIntent(answer.body) : null;
  if (!empty) return UNREADABLE;
  const ended = await api.post(`${pathOf(empty.id)}/cancel`, {}, `${key}:refuse`);
  return ended.kind === 'unknown' ? { kind: 'unknown', cause: ended.unknown.cause } : refused;
}

async function pay(api: Api, request: AuthorizeRequest, answer: Answer): Promise<Outcome> {
  const context = { refusesActions: isRefusingActions(request) };
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') return refusalOf(answer.error, null, context);
  const intent = paymentIntent.safeParse(answer.body).data;
  if (!intent) return UNREADABLE;
  if (isTrap(intent)) return leaveTrap(api, intent, request.key);
  return announced(api, intent, authorizationOutcome(intent, request.capture, context));
}

async function setUp(api: Api, { key, money }: AuthorizeRequest, answer: Answer): Promise<Outcome> {
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') return refusalOf(answer.error, null);
  const intent = setupIntent.safeParse(answer.body).data;
  if (!intent) return UNREADABLE;
  return isTrap(intent) ? leaveTrap(api, intent, key) : setupOutcome(intent, money.currency);
}

/** Cancels an intent that waits for something that nobody can do. The outcome is certain only after the cancellation. */
async function leaveTrap(api: Api, intent: PaymentIntent | SetupIntent, key: string): Promise<Outcome> {
  const answer = await api.post(`${pathOf(intent.id)}/cancel`, {}, `${key}:trap`);
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.unknown.cause };
  const schema = intent.object === 'setup_intent' ? setupIntent : paymentIntent;
  const ended = answer.kind === 'answered' ? schema.safeParse(answer.body).data : undefined;
  if (ended?.status !== 'canceled') return UNREADABLE;
  return {
    ...{ kind: 'failed', reference: intent.id, errorCode: 'requires_buyer_authentication' },
    rawResponseCode: intent.next_action?.type ?? null,
    rawResponseDescription:
      'Stripe asks the buyer for a step that has no page, so the payment was cancelled. Pay with another payment method.',
  };
}

/** Continues an authorisation after the buyer's return. Stripe knows the result, whatever the browser brings. */
export async function resume(api: Api, { reference, money, capture, key }: ResumeRequest): Promise<Outcome> {
  const read = await readPayment(api, reference);
  if ('unknown' in read) return read.unknown;
  if (read.intent === null || read.intent.metadata['paygraph_operation'] !== key) return UNREADABLE;
  return isSetup(read.intent)
    ? setupOutcome(read.intent, money.currency)
    : authorizationOutcome(read.intent, capture);
}
