import { createHash } from 'node:crypto';
import {
  refusedBefore,
  type CallContext,
  type Outcome,
  type Unknown,
  type AuthorizeRequest,
  type LookupRequest,
  type ResumeRequest,
} from '../../door.ts';
import { NOT_SENT, outcomeOf } from '../exchange.ts';
import type { AdyenHosts } from '../hosts.ts';
import { outcomeOfPayment, paymentNamedIn, type Asked } from './answer.ts';
import { leave } from './leave.ts';
import { nativeClientOf, nativeStepOf } from './native.ts';
import { paymentToWire } from './payment-wire.ts';
import { detailsToWire } from './wire.ts';

/** A payment service at Adyen: its call, and its addresses. */
type Place = { readonly context: CallContext; readonly checkout: string };

/** Authorises a payment. A payment that waits for a step that the buyer's client cannot take is ended at once. */
export async function authorize(
  hosts: AdyenHosts,
  context: CallContext,
  request: AuthorizeRequest,
): Promise<Outcome> {
  const { credentials, definition } = context;
  const addresses = hosts(context);
  const payment = paymentToWire(request, {
    ...{ merchantAccount: accountOf(context), definition },
    preAuthorizes: credentials['incremental_authorization'] === 'true',
  });
  if (!payment.ok) return refusedBefore(payment.refusals[0]);
  if (!addresses) return NOT_SENT;
  const { key, money, series } = request;
  const { checkout } = addresses;
  const shopperReference = payment.value.shopperReference ?? null;
  const asked = { key, money, reference: null, stores: series.tokenizes ? { shopperReference } : null };
  const native = nativeClientOf(request);
  const canAct = native.ok && native.value !== null;
  const posted = { url: `${checkout}/payments`, key, body: payment.value };
  return outcomeOf(
    context,
    { ...posted, ...(lacksSecrets(request) && { afterRefusal: OF_THIS_BODY }) },
    (answer) => stepOrOutcome({ context, checkout }, asked, answer, canAct),
  );
}

/**
 * True for a repeat without the security code or the cryptogram that the first request may have had. Adyen does not document its
 * answer to another body under the same key.
 */
const lacksSecrets = ({ isRepeat, card, networkToken }: AuthorizeRequest): boolean =>
  isRepeat &&
  ((card !== null && card.securityCode === null) ||
    (networkToken !== null && networkToken.cryptogram === null));

/** The first request of the key may have paid. */
const OF_THIS_BODY: Unknown = { kind: 'unknown', cause: 'server_error' };

/**
 * Continues a payment whose buyer took a step. The step has a key of its own, because it is another request. Another result is a
 * further request, which the first answer must not stand for.
 *
 * - A refused result says that the result is wrong. The payment goes on waiting for the right one.
 * - Anybody can bring the result of another payment. Its answer names the other payment, and decides nothing about this one.
 */
export async function resume(
  hosts: AdyenHosts,
  context: CallContext,
  { key, reference, money, returned }: ResumeRequest,
): Promise<Outcome> {
  const addresses = hosts(context);
  const details = detailsToWire(returned);
  if (!addresses) return NOT_SENT;
  const { checkout } = addresses;
  const waits = stillAway(reference, checkout);
  if (!details) return waits;
  const { path, body, result, isNative } = details;
  // An answer names the shopper of a method that it stored.
  const asked = { key, money, reference, stores: { shopperReference: null } };
  return outcomeOf(
    context,
    { url: checkout + path, key: `${key}:details:${digestOf(result)}`, body, afterRefusal: waits },
    async (answer) => {
      const named = paymentNamedIn(answer);
      if (named !== null && named !== key) return waits;
      const outcome = await stepOrOutcome({ context, checkout }, asked, answer, isNative);
      if (isNative && leadsAway(outcome)) return endStep({ context, checkout }, asked, 'RedirectShopper');
      return outcome.kind === 'succeeded' && named === null ? UNNAMED : outcome;
    },
  );
}

const leadsAway = (outcome: Outcome): boolean =>
  outcome.kind === 'accepted' && outcome.approvalUrl !== undefined;

/** A success that names no payment may be that of another one. The webhook decides. */
const UNNAMED: Unknown = { kind: 'unknown', cause: 'unreadable' };

/** Adyen takes keys of 64 characters. The digest has the 18 that are left. */
const digestOf = (result: string): string =>
  createHash('sha256').update(result).digest('base64url').slice(0, 18);

/**
 * Returns the outcome of a return without a result that Adyen accepts. The buyer has not decided and may come back again. The
 * address says only that there is a page. The payment keeps the step of its first answer.
 */
const stillAway = (reference: string, checkout: string): Outcome => ({
  ...{ kind: 'accepted', reference, approvalUrl: checkout },
  ...{ rawResponseCode: null, rawResponseDescription: null },
});

/** Maps an answer to its outcome. A step in the buyer's client becomes a session if the client can act, or else ends the payment. */
async function stepOrOutcome(place: Place, asked: Asked, answer: unknown, canAct: boolean): Promise<Outcome> {
  const step = nativeStepOf(answer);
  if (!step) return outcomeOfPayment(answer, asked);
  const { resultCode, action } = step;
  const reference = step.reference ?? asked.reference;
  if (canAct && action !== null)
    return {
      ...{ kind: 'accepted', reference: reference ?? asked.key, session: true, clientAction: action },
      ...{ rawResponseCode: resultCode, rawResponseDescription: null },
    };
  return endStep(place, { ...asked, reference }, resultCode);
}

/** Ends a payment whose next step the buyer cannot take. A buyer who has begun in a client cannot go on at a page. */
const endStep = (
  { context, checkout }: Place,
  { key, reference, money }: Asked,
  rawResponseCode: string,
): Promise<Outcome> =>
  leave(context, checkout, {
    ...{ key, reference, money, merchantAccount: accountOf(context) },
    ...{ errorCode: 'requires_buyer_authentication', rawResponseCode, sentence: NO_CLIENT },
  });

const NO_CLIENT =
  'Adyen asks for an authentication in the client of the buyer. Set nativeThreeDSecure in the connection options if the client has the software of Adyen.';

/**
 * Ends a payment whose buyer did not complete the authentication in the client in time. Null for any other question, because Adyen
 * has no call that reads a payment. Null too while a result may still reach Adyen.
 */
export async function expire(
  hosts: AdyenHosts,
  context: CallContext,
  { verb, key, reference, money, approval, inSession, resuming }: LookupRequest,
): Promise<Outcome | null> {
  const addresses = hosts(context);
  if (verb !== 'authorize' || approval !== 'expired' || !inSession || resuming || !addresses) return null;
  return leave(context, addresses.checkout, {
    ...{ key, reference, money, merchantAccount: accountOf(context) },
    ...{ errorCode: 'incomplete_buyer_approval', rawResponseCode: null, sentence: TOO_LATE },
  });
}

const TOO_LATE = 'The client of the buyer did not complete the authentication in time.';

/** Returns the merchant account of the payment service. Empty if the field is missing, and Adyen then refuses the request. */
export const accountOf = ({ credentials }: Pick<CallContext, 'credentials'>): string =>
  credentials['merchant_account'] ?? '';
