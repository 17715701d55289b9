import {
  refusedBefore,
  type AuthorizeRequest,
  type CallContext,
  type Outcome,
  type ResumeRequest,
} from '../../door.ts';
import { amountToWire } from '../amount.ts';
import { payment } from '../answers.ts';
import { isAboutPayment, refusalOf } from '../errors.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { outcomeOfWhole, paymentOutcome, UNREADABLE } from './payment-outcome.ts';
import { paymentToWire } from './payment-wire.ts';
import { findPayment, PAYMENTS } from './read-payment.ts';
import { meansOf } from './source-wire.ts';

/**
 * Authorises a payment, or verifies a card where the amount is 0. A buyer may have to go to Checkout.com's page first.
 *
 * Checkout.com keeps the key of a success alone, and does the work of a failed request again. So a repeat searches the payment
 * first.
 */
export async function authorize(api: Api, context: CallContext, request: AuthorizeRequest): Promise<Outcome> {
  const { key, money, capture, series } = request;
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const earlier = request.isRepeat ? await findPayment(api, { key, reference: null }) : null;
  if (earlier !== null) return 'kind' in earlier ? { ...earlier, sent: false } : outcomeOfWhole(earlier);
  const means = await meansOf(api, context, request);
  if ('outcome' in means) return means.outcome;
  const body = paymentToWire(request, means, { amount, credentials: context.credentials });
  const answer = await api.post(PAYMENTS, body, key);
  if (answer.kind === 'unknown') return answer.unknown;
  // Checkout.com may refuse another body under the key of a success, and the search is late.
  if (answer.kind === 'refused')
    return request.isRepeat && !isAboutPayment(answer) ? UNCERTAIN : refusalOf(answer);
  const made = payment.safeParse(answer.body).data;
  return made
    ? paymentOutcome(made, { isSale: capture && amount > 0, stores: series.tokenizes })
    : UNREADABLE;
}

const UNCERTAIN: Outcome = { kind: 'unknown', cause: 'server_error' };

/** Continues an authorisation after the buyer's return. Checkout.com knows the result, whatever the browser brings. */
export async function resume(api: Api, { key, reference }: ResumeRequest): Promise<Outcome> {
  const found = await findPayment(api, { key, reference });
  if (found === null) return UNREADABLE;
  return 'kind' in found ? found : outcomeOfWhole(found);
}
