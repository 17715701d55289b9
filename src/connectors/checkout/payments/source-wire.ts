import {
  fullNameOf,
  isObject,
  parseJson,
  refusedBefore,
  withoutNulls,
  type AuthorizeRequest,
  type CallContext,
  type Card,
  type Impossible,
  type Outcome,
  type PostalAddress,
  type Unknown,
  type WalletToken,
} from '../../door.ts';
import { walletToken } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import type { Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { readToken } from '../token.ts';
import { UNREADABLE } from './payment-outcome.ts';

/** The means to pay, with the payment that stored them. Null without such a payment. */
export type Means = { readonly source: object; readonly storedBy: string | null };

/** Maps the means to pay, or returns the outcome of means that cannot pay. A wallet's token is exchanged first. */
export async function meansOf(
  api: Api,
  { credentials }: Pick<CallContext, 'credentials'>,
  request: AuthorizeRequest,
): Promise<Means | { readonly outcome: Outcome }> {
  const { card, token, wallet } = request;
  if (card) {
    if (credentials['raw_card_data'] === 'true') return plain(cardToWire(card, request));
    // The field may have changed after an earlier request, which may have paid.
    return request.isRepeat ? { outcome: NOT_SENT } : refused(IMPOSSIBLE.cardNumber);
  }
  if (wallet) return exchanged(api, credentials, { wallet, request });
  if (token === null) return refused(IMPOSSIBLE.means);
  const named = readToken(token);
  if (named === null) return refused(IMPOSSIBLE.token);
  return named.type === 'token'
    ? plain({ type: 'token', token: named.token, ...billingOf(request) })
    : { source: { type: 'id', id: named.id }, storedBy: named.payment };
}

const NOT_SENT: Unknown = { kind: 'unknown', cause: 'server_error', sent: false };

const plain = (source: object): Means => ({ source, storedBy: null });

/** A refusal before any call, the same on every attempt. */
const refused = (impossible: Impossible): { readonly outcome: Outcome } => ({
  outcome: refusedBefore(impossible),
});

function cardToWire({ number, expirationDate, securityCode }: Card, request: AuthorizeRequest): object {
  const [month = '', year = ''] = expirationDate.split('/');
  const { series, buyer } = request;
  const name = fullNameOf(buyer.firstName, buyer.lastName);
  return {
    ...{ type: 'card', number, expiry_month: Number(month), expiry_year: 2000 + Number(year) },
    ...(securityCode !== null && { cvv: securityCode }),
    ...(name !== null && { name }),
    ...((series.merchantInitiated || series.isSubsequentPayment) && { stored: true }),
    ...billingOf(request),
  };
}

const billingOf = ({ buyer: { billingAddress } }: AuthorizeRequest): { readonly billing_address?: object } =>
  billingAddress ? { billing_address: addressToWire(billingAddress) } : {};

/** Maps an address. Leaves out what the merchant did not give. */
export const addressToWire = ({ line1, line2, city, state, postalCode, country }: PostalAddress): object =>
  withoutNulls({ address_line1: line1, address_line2: line2, city, state, zip: postalCode, country });

const TYPES = { apple_pay: 'applepay', google_pay: 'googlepay' } as const;

type Exchanging = { readonly wallet: WalletToken; readonly request: AuthorizeRequest };

/**
 * Exchanges the token of a wallet. Moves no money, so a lost answer means that the payment was not sent. The wallet's token pays
 * once, so a refusal on a repeat says nothing about the first request.
 */
async function exchanged(
  api: Api,
  credentials: CallContext['credentials'],
  { wallet, request }: Exchanging,
): Promise<Means | { readonly outcome: Outcome }> {
  const data = parseJson(wallet.token);
  if (!isObject(data)) return refused(IMPOSSIBLE.walletToken);
  if (!credentials['public_key']) return refused(IMPOSSIBLE.publicKey);
  const answer = await api.exchange({ type: TYPES[wallet.wallet], token_data: data });
  if (answer.kind === 'unknown') return { outcome: { ...answer.unknown, sent: false } };
  if (answer.kind === 'refused') return { outcome: request.isRepeat ? NOT_SENT : refusalOf(answer) };
  const made = walletToken.safeParse(answer.body).data;
  return made
    ? plain({ type: 'token', token: made.token, ...billingOf(request) })
    : { outcome: { ...UNREADABLE, sent: false } };
}
