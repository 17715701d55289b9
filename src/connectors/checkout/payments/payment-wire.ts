import {
  cutText,
  fullNameOf,
  statementText,
  type AuthorizeRequest,
  type CallContext,
  type Series,
  type StatementDescriptor,
  type ThreeDSecureData,
} from '../../door.ts';
import { namesOfPayment } from '../names.ts';
import { addressToWire, type Means } from './source-wire.ts';

/**
 * Maps our authorisation to a payment. The same for the same request, so that a repeat differs in the security code alone. A
 * payment of nothing has nothing to capture, so it is no sale.
 */
export function paymentToWire(
  request: AuthorizeRequest,
  { source, storedBy }: Means,
  { amount, credentials }: Pick<CallContext, 'credentials'> & { readonly amount: number },
): object {
  const { key, money, series, buyer, capture, merchantReference, ipAddress } = request;
  const { processing_channel_id: channel } = credentials;
  const isSale = capture && amount > 0;
  const name = fullNameOf(buyer.firstName, buyer.lastName);
  const description = cutText(merchantReference, DESCRIPTION_MAX);
  const address = buyer.shipping?.address;
  return {
    ...{ source, amount, currency: money.currency },
    ...namesOfPayment({ key, isSale, stores: series.tokenizes }),
    capture: isSale,
    ...(channel && { processing_channel_id: channel }),
    ...(description !== null && { description }),
    ...seriesToWire(series, storedBy),
    ...authenticationToWire(request),
    ...(buyer.email !== null && { customer: { email: buyer.email, ...(name !== null && { name }) } }),
    ...(address && { shipping: { address: addressToWire(address) } }),
    ...(ipAddress !== null && { payment_ip: ipAddress }),
    ...statementToWire(request.statementDescriptor),
  };
}

const DESCRIPTION_MAX = 100;

/**
 * Maps the relation of the payment to others with the same method. An absent buyer's payment names the first one: by the scheme's
 * id, or else by the id of Checkout.com.
 */
function seriesToWire(series: Series, storedBy: string | null): object {
  const { merchantInitiated, schemeTransactionId } = series;
  const previous = schemeTransactionId ?? storedBy;
  return {
    payment_type: typeOf(series),
    ...(merchantInitiated && { merchant_initiated: true }),
    ...(merchantInitiated && previous !== null && { previous_payment_id: previous }),
  };
}

function typeOf({ source, merchantInitiated }: Series): string {
  if (source === 'card_on_file' && merchantInitiated) return 'Unscheduled';
  return TYPES[source] ?? 'Regular';
}

const TYPES: Readonly<Partial<Record<Series['source'], string>>> = {
  ...{ moto: 'MOTO', recurring: 'Recurring', installment: 'Installment' },
};

/**
 * Maps the authentication of the card's holder.
 *
 * - A finished authentication goes along, and Checkout.com makes no other.
 * - With the wish `always`, a present buyer goes to the page of Checkout.com. The issuer is asked for a challenge.
 * - With the wish `automatic`, a present buyer goes there if the card takes part. The issuer decides about a challenge.
 * - Nobody else is sent there. A payment that needs an authentication all the same is declined.
 */
function authenticationToWire(request: AuthorizeRequest): object {
  const { threeDSecure, authentication, returnUrl, series, wallet } = request;
  const proof = threeDSecure && proofToWire(threeDSecure);
  if (proof) return { '3ds': proof };
  const isAbsent = series.merchantInitiated || series.source === 'moto' || returnUrl === null;
  // A wallet has authenticated its buyer.
  const wish = wallet === null ? authentication : 'never';
  if (threeDSecure || isAbsent || wish === 'never') return {};
  return {
    '3ds': { enabled: true, ...WISHES[wish] },
    ...{ success_url: returnUrl, failure_url: returnUrl },
  };
}

const WISHES = {
  always: { challenge_indicator: 'challenge_requested' },
  // A card that takes no part in 3-D Secure pays without it.
  automatic: { attempt_n3d: true, challenge_indicator: 'no_preference' },
} as const;

/** Maps the result of an authentication that happened elsewhere. Null without the proof or the id. */
function proofToWire({ version, eci, cavv, directoryTransactionId, xid }: ThreeDSecureData): object | null {
  const id = directoryTransactionId ?? xid;
  if (cavv === null || id === null) return null;
  return {
    ...{ enabled: true, cryptogram: cavv, xid: id, version },
    ...(eci !== null && { eci: eci.padStart(2, '0') }),
  };
}

const NAME_MAX = 25;
const CITY_MAX = 13;

/** The characters that are not sent to banks. */
const REFUSED = /[^a-zA-Z0-9 .,'_\-?+*/]/g;

/** Maps the text for the buyer's statement. Checkout.com takes a name only with a city. */
function statementToWire(descriptor: StatementDescriptor | null): object {
  const name = statementText(descriptor?.name ?? '', REFUSED, NAME_MAX);
  const city = statementText(descriptor?.city ?? '', REFUSED, CITY_MAX);
  return name === null || city === null ? {} : { billing_descriptor: { name, city } };
}
