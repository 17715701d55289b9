import type { App } from '../../../app.ts';
import type { Card } from '../../../connectors/connector.ts';
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
import type { NoPaymentService } from '../model/refusals.ts';
import type { Transaction } from '../model/transaction.ts';

/** Who pays and with what, as far as it is stored or is to be: looked up and opened, nothing written. */
export type Paying = Pick<
  Transaction,
  'method' | 'instrumentType' | 'buyerId' | 'country' | 'redirectUrl'
> & {
  /** Those given with the payment, or else the stored buyer's. */
  readonly buyer: BuyerDetails | null;
  /** In clear; null unless a card pays. */
  readonly card: Card | null;
  /** What is stored and pays. */
  readonly stored: PaymentMethod | null;
  /** What is stored with the payment. */
  readonly made: NewPaymentMethod | null;
};

export type PayingRefusal = InvalidInput | NotFound | NoPaymentService;

type Payee = { readonly merchantAccountId: string };

/**
 * Looks up the stored buyer and the stored payment method of a payment, and opens it; seals what the payment is to store.
 * Refuses what the merchant account does not have, what cannot pay in its status or in this currency and country, and a
 * payment method of another buyer. Not inside a transaction, for the vault's sake; whether all of it is still there, the claim asks
 * again.
 */
export async function resolvePaying(
  app: App,
  payee: Payee,
  input: CreateTransactionInput,
): Promise<Result<Paying, PayingRefusal>> {
  const buyer = await buyerOf(app, payee, input);
  if (!buyer.ok) return buyer;
  const asked = input.paymentMethod.stored;
  if (asked) return resolveStored(app, payee, input, { ...asked, buyer: buyer.value });
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
    // Gift cards alone leave nothing to store.
    made:
      input.store && (card || redirect)
        ? await preparePaymentMethod(app, payee.merchantAccountId, instrument, of)
        : null,
  });
}

/** The stored buyer who is asked for; null when none is. */
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

type StoredAsked = {
  readonly id: string;
  readonly securityCode: string | null;
  /** Who was asked for, too. */
  readonly buyer: Buyer | null;
};

async function resolveStored(
  app: App,
  payee: Payee,
  input: CreateTransactionInput,
  asked: StoredAsked,
): Promise<Result<Paying, PayingRefusal>> {
  const [stored] = await findPaymentMethods(app, payee, [asked.id]);
  if (!stored) return refuse(STORED_NOT_FOUND);
  const refusal = refuseUse(stored, input, asked.buyer);
  if (refusal) return refuse(refusal);
  const { instrumentType, expirationDate } = stored;
  // No provider here takes the others.
  if (instrumentType === 'network_token' || instrumentType === 'bank')
    return refuse({ kind: 'NoPaymentService' });
  const number = instrumentType === 'pan' ? await openNumber(app, stored) : null;
  if (instrumentType === 'pan' && (number === null || expirationDate === null))
    return refuse(STORED_NOT_FOUND);
  const [buyer = null] =
    asked.buyer || stored.buyerId === null ? [asked.buyer] : await findBuyers(app, payee, [stored.buyerId]);
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
        : { number, expirationDate, securityCode: asked.securityCode },
    stored,
    made: null,
  });
}

const STORED = ['input', 'paymentMethod', 'stored', 'id'];
export const STORED_NOT_FOUND = notFound('payment method', STORED);

/** Why a stored payment method cannot make this payment; null when it can (facts 2.5; 11, rules 3 and 4). */
function refuseUse(
  stored: PaymentMethod,
  { currency, country }: CreateTransactionInput,
  buyer: Buyer | null,
): InvalidInput | null {
  const status = stored.status.toUpperCase();
  if (!isUsable(stored)) return invalidInput(STORED, `It cannot pay while its status is ${status}.`);
  if (buyer && stored.buyerId !== buyer.id)
    return invalidInput(STORED, 'It is not of the buyer who is given.');
  if (stored.currency !== null && stored.currency !== currency)
    return invalidInput(['input', 'currency'], `The payment method pays in ${stored.currency}.`);
  return stored.country !== null && country !== null && stored.country !== country
    ? invalidInput(['input', 'country'], `The payment method pays in ${stored.country}.`)
    : null;
}

/** Null: it was deleted meanwhile. */
async function openNumber(app: App, stored: PaymentMethod): Promise<string | null> {
  const opened = await openInstrument(app, stored);
  return opened?.kind === 'card' ? opened.number : null;
}

function detailsOf(buyer: Buyer | null): BuyerDetails | null {
  if (!buyer) return null;
  const { displayName, externalIdentifier, accountNumber, billingDetails } = buyer;
  return { displayName, externalIdentifier, accountNumber, billingDetails };
}
