import type { App } from '../../../../app.ts';
import type { CheckedBuyer, CheckedContact } from '../../../../connectors/anti-fraud/check-request.ts';
import { findBuyers, type ShippingAddress } from '../../../payment-methods/index.ts';
import type { FraudFacts } from '../../../payment-services/index.ts';
import { dataToHand } from '../../model/three-d-secure.ts';
import type { Transaction } from '../../model/transaction.ts';

/**
 * Returns the facts of the whole payment for its check, gift cards included. Reads the stored buyer, if the payment has one.
 * `definitionId`: the definition of the anti-fraud service, whose connection options count.
 */
export async function factsOf(app: App, transaction: Transaction, definitionId: string): Promise<FraudFacts> {
  const { amount, currency, giftCardAmount, method, paymentSource: source } = transaction;
  const { shippingDetails, ipAddress, antiFraudFingerprint: deviceFingerprint } = transaction;
  return {
    transactionId: transaction.id,
    money: { amount, currency },
    requestedAt: transaction.createdAt,
    buyer: await buyerOf(app, transaction),
    shipping: shippingDetails && contactOf(shippingDetails),
    cart: transaction.cartItems ?? [],
    wallet: walletOf(transaction),
    card: cardOf(transaction),
    authentication: dataToHand(transaction.threeDSecure),
    client: transaction.integrationClient,
    browser: transaction.browserInfo,
    options: transaction.connectionOptions?.[definitionId] ?? null,
    ...{ giftCardAmount, method, source, ipAddress, deviceFingerprint },
  };
}

async function buyerOf(
  app: App,
  { merchantAccountId, buyerId, buyer }: Transaction,
): Promise<CheckedBuyer | null> {
  if (!buyer) return null;
  const { displayName, externalIdentifier, billingDetails } = buyer;
  const [stored] = buyerId === null ? [] : await findBuyers(app, { merchantAccountId }, [buyerId], 'line');
  return {
    ...{ displayName, externalIdentifier },
    billingDetails: billingDetails && contactOf(billingDetails),
    account: stored ? { id: stored.id, createdAt: stored.createdAt } : null,
  };
}

const contactOf = (contact: ShippingAddress): CheckedContact => {
  const { firstName, lastName, emailAddress, phoneNumber, address } = contact;
  return { firstName, lastName, emailAddress, phoneNumber, address };
};

/** Returns the card of a payment without its number. Null if its digits are not known. */
export function cardOf(transaction: Transaction): FraudFacts['card'] {
  const { cardBin: bin, cardLastFour: lastFour, cardFingerprint: fingerprint } = transaction;
  const { cardExpirationDate: expirationDate, cardScheme: scheme } = transaction;
  return bin === null || lastFour === null ? null : { bin, lastFour, fingerprint, expirationDate, scheme };
}

/** Returns the wallet that pays, or null. */
export function walletOf({ instrumentType }: Transaction): FraudFacts['wallet'] {
  switch (instrumentType) {
    case 'applepay':
      return 'apple_pay';
    case 'googlepay':
      return 'google_pay';
    default:
      return null;
  }
}
