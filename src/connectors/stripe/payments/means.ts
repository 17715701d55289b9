import {
  impossibleBy,
  refusedBefore,
  type CallContext,
  type Impossible,
  type Outcome,
  type AuthorizeRequest,
} from '../../door.ts';
import { created } from '../api/answers.ts';
import { givenCustomer } from '../wire/card-options-wire.ts';
import { stripeBuyer } from '../model/buyer.ts';
import { METHOD_TYPES } from '../model/definitions.ts';
import { rowOf, type StripeMethod } from '../model/methods.ts';
import { refusalOf } from '../errors/errors.ts';
import { IMPOSSIBLE } from '../errors/impossible.ts';
import type { Answer, Api } from '../api/exchange.ts';
import type { Means } from '../wire/intent-wire.ts';
import {
  applePayToWire,
  bankToWire,
  cardToWire,
  elsewhereOptionsToWire,
  elsewhereToWire,
  customerToWire,
  networkTokenToWire,
  readGooglePay,
  walletCardToWire,
} from '../wire/means-wire.ts';
import { readToken } from '../model/token.ts';

/** The means, or the outcome of an authorisation that needs no intent any more. */
export type Prepared = { readonly means: Means } | Unprepared;

/** `refusal` is that of a repeat, which says nothing about the first request. */
type Unprepared = { readonly outcome: Outcome } | { readonly refusal: Refused };

type Refused = Extract<Outcome, { readonly kind: 'declined' | 'failed' }>;

/**
 * Prepares the means to pay with Stripe's names. Moves no money, so a lost answer means that the payment was not sent.
 * A repeat makes the same calls under the same keys, except for a card without its security code.
 */
export async function prepareMeans(
  api: Api,
  context: Pick<CallContext, 'definition' | 'credentials'>,
  request: AuthorizeRequest,
): Promise<Prepared> {
  const method = await methodOf(api, context, request);
  if ('outcome' in method || 'refusal' in method) return method;
  const customer = method.customer ?? givenCustomer(request);
  if (!request.series.tokenizes || customer !== null) return { means: { ...method, customer } };
  const made = await create(api, '/v1/customers', {
    parameters: customerToWire(request),
    key: `${request.key}:cus`,
  });
  return 'outcome' in made ? made : { means: { ...method, customer: made.id } };
}

async function methodOf(
  api: Api,
  { definition, credentials }: Pick<CallContext, 'definition' | 'credentials'>,
  request: AuthorizeRequest,
): Promise<Means | Unprepared> {
  const { card, token, wallet, networkToken, bank, buyer } = request;
  const row = rowOf(definition.id);
  if (row) return elsewhereMethodOf(row, request);
  const isCard = METHOD_TYPES[definition.id] === 'card';
  if (token !== null) {
    const named = readToken(token);
    return named ? { ...named, data: null } : refused(IMPOSSIBLE.token);
  }
  if (bank !== null && !isCard) return { customer: null, paymentMethod: null, data: bankToWire(bank, buyer) };
  if (wallet !== null && isCard) return walletMethodOf(api, request, wallet);
  if (networkToken !== null && isCard) return networkTokenMethodOf(request, networkToken, credentials);
  if (card === null || !isCard) return refused(IMPOSSIBLE.means);
  if (credentials['raw_card_data'] !== 'true') return unapproved(request, IMPOSSIBLE.cardNumber);
  // A repeat lacks the security code. Under the first key Stripe would refuse other parameters.
  const key = `${request.key}:${card.securityCode === null ? 'pm2' : 'pm'}`;
  const made = await create(api, '/v1/payment_methods', { parameters: cardToWire(card, buyer), key });
  if (!('outcome' in made)) return methodNamed(made.id);
  const { outcome } = made;
  const isRefusal = outcome.kind === 'declined' || outcome.kind === 'failed';
  return isRefusal && request.isRepeat ? { refusal: outcome } : made;
}

const JUDGE = { provider: 'Stripe', fillers: stripeBuyer.address.fillers } as const;

/** Describes a method that the buyer approves or pays elsewhere. Refuses other means, and data that Stripe would miss. */
function elsewhereMethodOf(row: StripeMethod, request: AuthorizeRequest): Means | Unprepared {
  const { money, buyer, card, token, bank, wallet, networkToken } = request;
  if ([card, token, bank, wallet, networkToken].some((means) => means !== null))
    return refused(IMPOSSIBLE.means);
  if (money.amount === 0) return refused(IMPOSSIBLE.check);
  const impossible = impossibleBy(row, request, JUDGE);
  if (impossible) return refused(impossible);
  const data = elsewhereToWire(row, buyer);
  return { customer: null, paymentMethod: null, data, options: elsewhereOptionsToWire(row) };
}

/** Refuses means that the payment service does not send. Its field may have changed after an earlier request. */
function unapproved({ isRepeat }: AuthorizeRequest, impossible: Impossible): Unprepared {
  const refusal = refusedBefore(impossible);
  return isRepeat ? { refusal } : { outcome: refusal };
}

function networkTokenMethodOf(
  request: AuthorizeRequest,
  networkToken: NonNullable<AuthorizeRequest['networkToken']>,
  credentials: CallContext['credentials'],
): Means | Unprepared {
  if (request.money.amount === 0) return refused(IMPOSSIBLE.networkTokenCheck);
  return credentials['network_tokens'] === 'true'
    ? { customer: null, paymentMethod: null, data: networkTokenToWire(networkToken, request.buyer) }
    : unapproved(request, IMPOSSIBLE.networkToken);
}

async function walletMethodOf(
  api: Api,
  { key, buyer }: AuthorizeRequest,
  wallet: NonNullable<AuthorizeRequest['wallet']>,
): Promise<Means | { readonly outcome: Outcome }> {
  let token = wallet.wallet === 'google_pay' ? readGooglePay(wallet) : null;
  if (wallet.wallet === 'apple_pay') {
    const made = await create(api, '/v1/tokens', { parameters: applePayToWire(wallet), key: `${key}:tok` });
    if ('outcome' in made) return made;
    token = made.id;
  }
  if (token === null) return refused(IMPOSSIBLE.googlePay);
  const parameters = walletCardToWire(token, buyer);
  const made = await create(api, '/v1/payment_methods', { parameters, key: `${key}:pm` });
  return 'outcome' in made ? made : methodNamed(made.id);
}

const methodNamed = (paymentMethod: string): Means => ({ customer: null, paymentMethod, data: null });

type Creation = { readonly parameters: object; readonly key: string };

/** Makes an object that moves no money. Without the object, the payment was not sent. */
async function create(
  api: Api,
  path: string,
  { parameters, key }: Creation,
): Promise<{ readonly id: string } | { readonly outcome: Outcome }> {
  const answer = await api.post(path, parameters, key);
  const made = answer.kind === 'answered' ? created.safeParse(answer.body).data : undefined;
  return made ?? { outcome: withoutObject(answer) };
}

function withoutObject(answer: Answer): Outcome {
  if (answer.kind === 'refused') return refusalOf(answer.error, null);
  if (answer.kind === 'answered') return { kind: 'unknown', cause: 'unreadable', sent: false };
  const { cause, refusedAs } = answer.unknown;
  return { kind: 'unknown', cause, sent: false, ...(refusedAs && { refusedAs }) };
}

/** A refusal before any call, the same on every attempt. */
const refused = (impossible: Impossible): { readonly outcome: Outcome } => ({
  outcome: refusedBefore(impossible),
});
