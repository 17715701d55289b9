import type { App } from '../../../app.ts';
import type { Card } from '../../../connectors/requests.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import {
  findBuyerIdBy,
  findBuyers,
  findPaymentMethods,
  isUsable,
  openInstrument,
  preparePaymentMethod,
  type Buyer,
  type BuyerDetails,
  type NewPaymentMethod,
  type PaymentMethod,
} from '../../payment-methods/index.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { CARDS_ONLY } from '../input/three-d-secure.ts';
import type { NoPaymentService } from '../model/refusals.ts';
import type { Transaction } from '../model/transaction.ts';

/** The buyer and the instrument of a payment, looked up and opened. Nothing is written yet. */
export type Paying = Pick<
  Transaction,
  'method' | 'instrumentType' | 'buyerId' | 'country' | 'redirectUrl'
> & {
  /** The details given with the payment, or else those of the stored buyer. */
  readonly buyer: BuyerDetails | null;
  /** The card in clear. Null when no card pays. */
  readonly card: Card | null;
  /** The stored payment method that pays. */
  readonly stored: PaymentMethod | null;
  /** The payment method that the payment stores. */
  readonly made: NewPaymentMethod | null;
};

export type PayingRefusal = InvalidInput | NotFound | NoPaymentService;

type Payee = { readonly merchantAccountId: string };

/**
 * Looks up the stored buyer and the stored payment method, and opens the method. Seals the method that the payment
 * stores. Refuses:
 *
 * - a buyer or method that the merchant account does not have
 * - a method that cannot pay in its status, or in this currency and country
 * - a payment method of another buyer
 *
 * Runs outside any transaction, because the vault may use the network. The claim checks again that every stored record
 * exists.
 */
export async function resolvePaying(
  app: App,
  payee: Payee,
  input: CreateTransactionInput,
): Promise<Result<Paying, PayingRefusal>> {
  const buyer = await buyerOf(app, payee, input);
  if (!buyer.ok) return buyer;
  const requested = input.paymentMethod.stored;
  if (requested) return resolveStored(app, payee, input, { ...requested, buyer: buyer.value });
  const { card, redirect } = input.paymentMethod;
  const buyerId = buyer.value?.id ?? null;
  const { country, currency, redirectUrl } = input;
  const instrument = { card, redirect: redirect && { ...redirect, country, currency, redirectUrl } };
  const of = { buyerId, now: app.clock.now() };
  return ok({
    method: redirect?.method ?? 'card',
    instrumentType: redirect ? 'redirect' : 'pan',
    buyerId,
    buyer: input.buyer ?? detailsOf(buyer.value),
    country,
    redirectUrl,
    card,
    stored: null,
    // A payment by gift cards alone has no method to store.
    made:
      input.store && (card || redirect)
        ? await preparePaymentMethod(app, payee.merchantAccountId, instrument, of)
        : null,
  });
}

/** Finds the stored buyer that the input names, or returns null without a name. */
async function buyerOf(
  app: App,
  payee: Payee,
  { buyerId, buyerExternalIdentifier: external }: CreateTransactionInput,
): Promise<Result<Buyer | null, NotFound>> {
  if (buyerId === null && external === null) return ok(null);
  const id = external === null ? buyerId : await findBuyerIdBy(app.db, payee.merchantAccountId, external);
  const [found = null] = id === null ? [] : await findBuyers(app, payee, [id]);
  const path = ['input', external === null ? 'buyerId' : 'buyerExternalIdentifier'];
  return found ? ok(found) : refuse(notFound('buyer', path));
}

type StoredRequested = {
  readonly id: string;
  readonly securityCode: string | null;
  /** The stored buyer that the input names. */
  readonly buyer: Buyer | null;
};

async function resolveStored(
  app: App,
  payee: Payee,
  input: CreateTransactionInput,
  requested: StoredRequested,
): Promise<Result<Paying, PayingRefusal>> {
  const [stored] = await findPaymentMethods(app, payee, [requested.id]);
  if (!stored) return refuse(STORED_NOT_FOUND);
  const refusal = refuseUse(stored, input, requested.buyer);
  if (refusal) return refuse(refusal);
  const { instrumentType, expirationDate } = stored;
  if (input.threeDSecureRequest === 'always' && instrumentType !== 'pan')
    return refuse(invalidInput(['input', 'threeDSecure', 'request'], CARDS_ONLY));
  // No provider takes network tokens or bank accounts yet.
  if (instrumentType === 'network_token' || instrumentType === 'bank')
    return refuse({ kind: 'NoPaymentService', passedOver: [] });
  const number = instrumentType === 'pan' ? await openNumber(app, stored) : null;
  if (instrumentType === 'pan' && (number === null || expirationDate === null))
    return refuse(STORED_NOT_FOUND);
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
    card:
      number === null || expirationDate === null
        ? null
        : { number, expirationDate, securityCode: requested.securityCode },
    stored,
    made: null,
  });
}

const STORED = ['input', 'paymentMethod', 'stored', 'id'];
export const STORED_NOT_FOUND = notFound('payment method', STORED);

/** Refuses a stored payment method that cannot pay here, or returns null (facts 2.5 and 11, rules 3 and 4). */
function refuseUse(
  stored: PaymentMethod,
  { currency, country }: CreateTransactionInput,
  buyer: Buyer | null,
): InvalidInput | null {
  const status = stored.status.toUpperCase();
  if (!isUsable(stored))
    return invalidInput(STORED, `The payment method cannot pay while its status is ${status}.`);
  if (buyer && stored.buyerId !== buyer.id)
    return invalidInput(STORED, 'Must belong to the buyer of the payment.');
  if (stored.currency !== null && stored.currency !== currency)
    return invalidInput(['input', 'currency'], `The payment method pays in ${stored.currency}.`);
  return stored.country !== null && country !== null && stored.country !== country
    ? invalidInput(['input', 'country'], `The payment method pays in ${stored.country}.`)
    : null;
}

/** Opens the card number. Returns null when the method was deleted meanwhile. */
async function openNumber(app: App, stored: PaymentMethod): Promise<string | null> {
  const opened = await openInstrument(app, stored);
  return opened?.kind === 'card' ? opened.number : null;
}

function detailsOf(buyer: Buyer | null): BuyerDetails | null {
  if (!buyer) return null;
  const { displayName, externalIdentifier, accountNumber, billingDetails } = buyer;
  return { displayName, externalIdentifier, accountNumber, billingDetails };
}
