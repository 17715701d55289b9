import type { App } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import {
  bankCountryOf as countryOf,
  findBuyerIdBy,
  findBuyers,
  preparePaymentMethod,
  type Buyer,
} from '../../payment-methods/index.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { isOnlyReadByProvider } from '../model/means.ts';
import { detailsOf } from './buyer-details.ts';
import type { Paying, PayingRefusal } from './paying.ts';
import { resolveStored } from './resolve-stored.ts';
import { NO_MEANS, type Means } from './sealed-means.ts';

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
  const { card, bank, networkToken, redirect } = input.paymentMethod;
  const kind = kindOf(input.paymentMethod);
  const buyerId = buyer.value?.id ?? null;
  const { currency, redirectUrl } = input;
  const country = input.country ?? (bank && countryOf(bank));
  const instrument = {
    card,
    bankAccount: bank,
    networkToken: networkToken && { ...networkToken, token: networkToken.number },
    cardToken: isOnlyReadByProvider(kind.instrumentType),
    redirect: redirect && { ...redirect, country, currency, redirectUrl },
  };
  const of = { buyerId, now: app.clock.now() };
  return ok({
    ...kind,
    buyerId,
    buyer: input.buyer ?? detailsOf(buyer.value),
    country,
    redirectUrl,
    ...meansIn(input.paymentMethod),
    tokenised: networkToken && { ...networkToken, bin: null, lastFour: networkToken.cardLastFour },
    stored: null,
    // A payment by gift cards alone has no method to store.
    made:
      input.store && Object.values(input.paymentMethod).some(Boolean)
        ? await preparePaymentMethod(app, payee.merchantAccountId, instrument, of)
        : null,
  });
}

type Given = CreateTransactionInput['paymentMethod'];

/** Returns the method and the kind of data that pays. Without a method, gift cards pay everything. */
function kindOf(given: Given): Pick<Paying, 'method' | 'instrumentType'> {
  if (given.bank) return { method: 'bank', instrumentType: 'bank' };
  if (given.redirect) return { method: given.redirect.method, instrumentType: 'redirect' };
  if (given.applePay) return { method: 'applepay', instrumentType: 'applepay' };
  if (given.googlePay) return { method: 'googlepay', instrumentType: 'googlepay' };
  if (given.networkToken) return { method: 'network_token', instrumentType: 'network_token' };
  return { method: 'card', instrumentType: given.providerToken ? 'card_token' : 'pan' };
}

function meansIn({ card, bank, applePay, googlePay, networkToken, providerToken }: Given): Means {
  const means = { ...NO_MEANS, card, bank, token: providerToken?.token ?? null };
  if (applePay) return { ...means, wallet: { wallet: 'apple_pay', token: applePay.token } };
  if (googlePay) return { ...means, wallet: { wallet: 'google_pay', token: googlePay.token } };
  if (!networkToken) return means;
  const { number, expirationDate, cryptogram, eci } = networkToken;
  return { ...means, networkToken: { number, expirationDate, cryptogram, eci } };
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
