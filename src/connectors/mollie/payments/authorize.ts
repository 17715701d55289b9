import {
  cutText,
  isUuid,
  refusedBefore,
  type AuthorizeRequest,
  type Outcome,
  type Unknown,
} from '../../door.ts';
import { amountToWire, type MollieAmount } from '../amount.ts';
import { customer, type MollieError } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import { parse, type Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { CARD } from '../methods.ts';
import { metadataOf } from '../names.ts';
import { isCardToken, mandateOf, type StoredMandate } from '../stored-token.ts';
import { paymentOutcome } from './payment-outcome.ts';
import { paymentToWire, type Given } from './payment-wire.ts';
import { parsePayment, PAYMENTS, UNREADABLE } from './read-payment.ts';
import { findPayment } from './search.ts';

/**
 * Creates a payment. The buyer pays on Mollie's page, and Mollie completes the payment by itself. A stored method pays at once, and so
 * does a card token that needs no authentication.
 */
export async function authorize(api: Api, method: string, request: AuthorizeRequest): Promise<Outcome> {
  const means = meansOf(method, request);
  if ('kind' in means) return means;
  const { amount, mandate } = means;
  const customerId = request.series.tokenizes && mandate === null ? await createCustomer(api, request) : null;
  if (customerId !== null && typeof customerId !== 'string') return customerId;
  return create(api, request, { amount, method, mandate, customerId });
}

type Means = { readonly amount: MollieAmount; readonly mandate: StoredMandate | null };

/** Checks what Mollie can take. Returns the refusal for everything else. */
function meansOf(method: string, request: AuthorizeRequest): Means | Outcome {
  const { money, token, card, wallet, networkToken, bank, series } = request;
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  if (card || wallet || networkToken || bank) return refusedBefore(IMPOSSIBLE.means);
  const mandate = token === null ? null : mandateOf(token);
  const isOwnToken = token === null || mandate !== null || (method === CARD && isCardToken(token));
  if (!isOwnToken) return refusedBefore(IMPOSSIBLE.token);
  if (mandate === null && series.merchantInitiated) return refusedBefore(IMPOSSIBLE.buyer);
  return { amount, mandate };
}

async function create(api: Api, request: AuthorizeRequest, given: Given): Promise<Outcome> {
  const answer = await api.post(PAYMENTS, paymentToWire(request, given), request.key);
  if (answer.kind === 'refused') return refusalOf(answer.error, null);
  if (answer.kind === 'unknown')
    return answer.clash && !request.isRepeat ? ofClash(api, request, answer.clash) : answer.unknown;
  const made = parsePayment(api, answer.body);
  return made ? paymentOutcome(made) : UNREADABLE;
}

/**
 * Decides about a 400 to our first request of a key. Mollie cannot read the request, or a cancel or a forgotten payment took
 * the key. So the list decides first.
 */
async function ofClash(api: Api, { key }: AuthorizeRequest, clash: MollieError): Promise<Outcome> {
  const found = await findPayment(api, { key, createdAt: null });
  if (found === null) return refusalOf(clash, null);
  return 'kind' in found ? { ...found, arrived: true } : paymentOutcome(found);
}

const NAME_MAX = 255;

/**
 * Creates the customer who gets the mandate of the payment. A repeat finds the same customer while Mollie keeps the key. The payment
 * has not left before the customer exists.
 */
async function createCustomer(api: Api, { key, buyer }: AuthorizeRequest): Promise<string | Outcome> {
  const name = cutText([buyer.firstName, buyer.lastName].filter(Boolean).join(' '), NAME_MAX);
  const body = {
    ...(name !== null && { name }),
    ...(buyer.email !== null && { email: buyer.email }),
    metadata: {
      ...metadataOf(key),
      ...(isUuid(buyer.reference ?? '') && { paygraph_buyer: buyer.reference }),
    },
  };
  const answer = await api.post('/v2/customers', body, `${key}:customer`);
  if (answer.kind === 'unknown') return notPaid(answer.unknown);
  if (answer.kind === 'refused') return refusalOf(answer.error, null);
  return parse(customer, answer.body)?.id ?? notPaid(UNREADABLE);
}

const notPaid = ({ cause, refusedAs }: Unknown): Unknown => ({
  ...{ kind: 'unknown', cause, sent: false },
  ...(refusedAs && { refusedAs }),
});
