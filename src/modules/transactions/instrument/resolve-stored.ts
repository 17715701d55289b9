import type { App } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import {
  findBuyers,
  findPaymentMethods,
  isNoCardOf,
  isUsable,
  openInstrument,
  paysByTokenAlone,
  type Buyer,
  type PaymentMethod,
} from '../../payment-methods/index.ts';
import { SERVICE_NEEDED } from '../input/bank.ts';
import { NO_CARD_OF_NETWORK } from '../input/card-network.ts';
import { CRYPTOGRAM_NEEDED } from '../input/means.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { CARDS_ONLY } from '../input/three-d-secure.ts';
import { detailsOf } from './buyer-details.ts';
import type { Paying, PayingRefusal } from './paying.ts';
import { NO_MEANS, type Means } from './sealed-means.ts';

type StoredRequested = {
  readonly id: string;
  readonly securityCode: string | null;
  readonly cryptogram: string | null;
  readonly eci: string | null;
  readonly network: string | null;
  /** The stored buyer that the input names. */
  readonly buyer: Buyer | null;
};

/** The fields of a payment that a stored payment method must fit, and those that it completes. */
export type StoredPayment = Pick<
  CreateTransactionInput,
  | 'currency'
  | 'country'
  | 'paymentServiceId'
  | 'threeDSecureRequest'
  | 'merchantInitiated'
  | 'redirectUrl'
  | 'buyer'
>;

/**
 * Looks up the stored payment method that pays, and opens the method. Refuses a method that cannot pay. Runs outside any
 * transaction.
 */
export async function resolveStored(
  app: App,
  payee: { readonly merchantAccountId: string },
  input: StoredPayment,
  requested: StoredRequested,
): Promise<Result<Paying, PayingRefusal>> {
  const [stored] = await findPaymentMethods(app, payee, [requested.id]);
  if (!stored) return refuse(STORED_NOT_FOUND);
  const refusal =
    refuseUse(stored, input, requested.buyer) ??
    refuseCryptogram(stored, input, requested) ??
    refuseStoredNetwork(stored, requested);
  if (refusal) return refuse(refusal);
  const { instrumentType } = stored;
  const opened = await openMethod(app, stored, requested);
  if (!opened) return refuse(STORED_NOT_FOUND);
  const [buyer = null] =
    requested.buyer || stored.buyerId === null
      ? [requested.buyer]
      : await findBuyers(app, payee, [stored.buyerId]);
  return ok({
    method: stored.method,
    instrumentType,
    buyerId: buyer?.id ?? null,
    buyer: input.buyer ?? detailsOf(buyer),
    country: input.country ?? stored.country,
    redirectUrl: input.redirectUrl ?? stored.redirectUrl,
    ...opened,
    tokenised: instrumentType === 'network_token' || instrumentType === 'card_token' ? stored : null,
    stored,
    made: null,
  });
}

const STORED = ['input', 'paymentMethod', 'stored', 'id'];
export const STORED_NOT_FOUND = notFound('payment method', STORED);

/** Refuses a stored payment method that cannot pay here, or returns null. */
function refuseUse(
  stored: PaymentMethod,
  { currency, country, paymentServiceId, threeDSecureRequest }: StoredPayment,
  buyer: Buyer | null,
): InvalidInput | null {
  const status = stored.status.toUpperCase();
  if (!isUsable(stored))
    return invalidInput(STORED, `The payment method cannot pay while its status is ${status}.`);
  if (buyer && stored.buyerId !== buyer.id)
    return invalidInput(STORED, 'Must belong to the buyer of the payment.');
  if (stored.currency !== null && stored.currency !== currency)
    return invalidInput(['input', 'currency'], `The payment method pays in ${stored.currency}.`);
  if (stored.instrumentType === 'bank' && paymentServiceId === null)
    return invalidInput(['input', 'paymentServiceId'], SERVICE_NEEDED);
  if (threeDSecureRequest === 'always' && stored.instrumentType !== 'pan')
    return invalidInput(['input', 'threeDSecure', 'request'], CARDS_ONLY);
  // The payer of a SEPA debit may keep the account in any country (EU 260/2012, article 9).
  if (stored.instrumentType === 'bank') return null;
  return stored.country !== null && country !== null && stored.country !== country
    ? invalidInput(['input', 'country'], `The payment method pays in ${stored.country}.`)
    : null;
}

/** Refuses a network token without its cryptogram while the buyer is present, and a cryptogram for any other method. */
function refuseCryptogram(
  { instrumentType }: PaymentMethod,
  { merchantInitiated }: StoredPayment,
  { cryptogram, eci }: StoredRequested,
): InvalidInput | null {
  const path = [
    'input',
    'paymentMethod',
    'stored',
    cryptogram === null && eci !== null ? 'eci' : 'cryptogram',
  ];
  if (instrumentType !== 'network_token')
    return cryptogram === null && eci === null ? null : invalidInput(path, NETWORK_TOKENS_ONLY);
  return cryptogram === null && !merchantInitiated
    ? invalidInput([...path.slice(0, -1), 'cryptogram'], CRYPTOGRAM_NEEDED)
    : null;
}

/** Refuses a network for a method that is no card, and a network to which no such card can belong. */
function refuseStoredNetwork(
  { instrumentType, scheme }: PaymentMethod,
  { network }: StoredRequested,
): InvalidInput | null {
  if (network === null) return null;
  const path = ['input', 'paymentMethod', 'stored', 'network'];
  if (instrumentType !== 'pan' && instrumentType !== 'card_token')
    return invalidInput(path, STORED_CARDS_ONLY);
  return isNoCardOf(network, scheme) ? invalidInput(path, NO_CARD_OF_NETWORK) : null;
}

const STORED_CARDS_ONLY = 'Must be absent: the payment method is no card.';
const NETWORK_TOKENS_ONLY = 'Must be absent: the payment method is no network token.';

/** Opens the card, the network token or the bank account. Returns null when the method was deleted meanwhile. */
async function openMethod(
  app: App,
  stored: PaymentMethod,
  { securityCode, cryptogram, eci }: StoredRequested,
): Promise<Means | null> {
  const { instrumentType, expirationDate } = stored;
  if (instrumentType === 'redirect' || paysByTokenAlone(instrumentType)) return NO_MEANS;
  const opened = await openInstrument(app, stored);
  if (opened?.kind === 'card' && expirationDate !== null)
    return { ...NO_MEANS, card: { number: opened.number, expirationDate, securityCode } };
  if (opened?.kind === 'network_token' && expirationDate !== null)
    return { ...NO_MEANS, networkToken: { number: opened.token, expirationDate, cryptogram, eci } };
  if (opened?.kind !== 'bank_account') return null;
  const { kind: _, mandate = null, ...account } = opened;
  return { ...NO_MEANS, bank: { ...account, mandate } };
}
