import { z } from 'zod';
import {
  impossibleBy,
  ok,
  refuse,
  parseJson,
  type Impossible,
  type Result,
  type AuthorizeRequest,
  type BankDebit,
  type Card,
  type NetworkToken,
  type WalletToken,
} from '../../door.ts';
import { adyenBuyer } from '../buyer.ts';
import { BRANDS } from '../definitions.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { rowOf, typeIn, type AdyenMethod } from '../methods.ts';
import type { AdyenPayment } from '../request-shapes.ts';
import { storedMethodOf } from '../stored-token.ts';

/** The means to pay in Adyen's format, with the shopper of a stored method. */
export type AdyenMeans = {
  readonly paymentMethod: AdyenPayment['paymentMethod'];
  readonly shopperReference: string | null;
};

type Means = Pick<
  AuthorizeRequest,
  | 'money'
  | 'isRepeat'
  | 'card'
  | 'cardNetwork'
  | 'token'
  | 'wallet'
  | 'networkToken'
  | 'bank'
  | 'buyer'
  | 'order'
  | 'series'
>;

/** Maps the means to pay. Refuses means that Adyen cannot take, before the call. */
export function meansToWire(means: Means, definitionId: string): Result<AdyenMeans, Impossible> {
  const { card, token, wallet, networkToken, bank } = means;
  if (card) return plain(cardToWire(card, 'scheme', means));
  if (networkToken) return plain(cardToWire({ ...networkToken, securityCode: null }, 'networkToken', means));
  if (wallet) return walletToWire(wallet);
  if (bank) return bankToWire(bank);
  if (token !== null) return tokenToWire(token, means);
  const row = rowOf(definitionId);
  return row ? elsewhereToWire(row, means) : refuse(IMPOSSIBLE.means);
}

const JUDGE = { provider: 'Adyen', fillers: adyenBuyer.address.fillers } as const;

/** Maps a method that the buyer approves or pays elsewhere. Refuses data that Adyen would miss, before the call. */
function elsewhereToWire(row: AdyenMethod, means: Means): Result<AdyenMeans, Impossible> {
  const type = typeIn(row, means.money.currency);
  if (type === undefined) return refuse(IMPOSSIBLE.currency);
  const impossible = impossibleBy(row, means, JUDGE);
  if (impossible) return refuse(impossible);
  const { firstName, lastName, email: shopperEmail, phone: telephoneNumber } = means.buyer;
  const data = { firstName, lastName, shopperEmail, telephoneNumber };
  const details = Object.fromEntries(row.details.map((name) => [name, data[name]]));
  // No type relates a name to its details. The tests compare every row with Adyen's description.
  return plain({ type, ...details } as AdyenMeans['paymentMethod']);
}

const plain = (paymentMethod: AdyenMeans['paymentMethod']): Result<AdyenMeans, Impossible> =>
  ok({ paymentMethod, shopperReference: null });

type Numbered = Pick<Card & NetworkToken, 'number' | 'expirationDate' | 'securityCode'>;

function cardToWire(
  { number, expirationDate, securityCode }: Numbered,
  type: 'scheme' | 'networkToken',
  { buyer, series, cardNetwork }: Means,
): AdyenMeans['paymentMethod'] {
  const [month = '', year = ''] = expirationDate.split('/');
  const holderName = [buyer.firstName, buyer.lastName].filter(Boolean).join(' ');
  return {
    ...{ type, number, expiryMonth: month, expiryYear: `20${year}` },
    ...brandOf(type === 'scheme' ? cardNetwork : null),
    ...(securityCode !== null && { cvc: securityCode }),
    ...(holderName !== '' && { holderName }),
    ...(series.schemeTransactionId !== null && { networkPaymentReference: series.schemeTransactionId }),
  };
}

/** Maps the network that the buyer chose. Routing asks no service for a network without a name. */
function brandOf(cardNetwork: string | null): { readonly brand?: string } {
  const brand = cardNetwork === null ? undefined : BRANDS[cardNetwork];
  return brand === undefined ? {} : { brand };
}

/** Adyen's limit for the token of a wallet, in characters. */
const WALLET_MAX = 10_000;

function walletToWire({ wallet, token }: WalletToken): Result<AdyenMeans, Impossible> {
  // Adyen takes the token of Apple Pay in base64, and that of Google Pay as Google made it.
  const text = wallet === 'apple_pay' ? Buffer.from(token, 'utf8').toString('base64') : token;
  if (text.length > WALLET_MAX) return refuse(IMPOSSIBLE.walletToken);
  return plain(
    wallet === 'apple_pay'
      ? { type: 'applepay', applePayToken: text }
      : { type: 'googlepay', googlePayToken: text },
  );
}

/** Maps a SEPA debit. Adyen makes the mandate, and names the mandate in its answer. */
function bankToWire({ scheme, accountNumber, accountHolder }: BankDebit): Result<AdyenMeans, Impossible> {
  if (scheme !== 'sepa') return refuse(IMPOSSIBLE.scheme);
  const { companyName, firstName, lastName } = accountHolder;
  const ownerName = companyName ?? [firstName, lastName].filter(Boolean).join(' ');
  return plain({ type: 'sepadirectdebit', iban: accountNumber, ownerName });
}

/**
 * Maps a stored method, or the `paymentMethod` object that Adyen's own software made in the buyer's client. Adyen's
 * software puts the choice of the network into its object.
 */
function tokenToWire(token: string, { cardNetwork }: Means): Result<AdyenMeans, Impossible> {
  if (token.trimStart().startsWith('{')) {
    const parsed = fromClient.safeParse(parseJson(token));
    return parsed.success ? plain(parsed.data) : refuse(IMPOSSIBLE.clientToken);
  }
  const stored = storedMethodOf(token);
  if (!stored) return refuse(IMPOSSIBLE.storedToken);
  const { shopperReference, storedPaymentMethodId } = stored;
  const paymentMethod = { type: 'scheme' as const, storedPaymentMethodId, ...brandOf(cardNetwork) };
  return ok({ paymentMethod, shopperReference });
}

const text = z.string().max(50_000);

/**
 * The objects of Adyen's software in the buyer's client. All sensitive fields in them are encrypted. A card number in clear
 * has no field here, so such an object is refused.
 */
const common = { checkoutAttemptId: text.exactOptional(), sdkData: text.exactOptional() };
const funding = { fundingSource: z.enum(['credit', 'debit', 'prepaid']).exactOptional() };
const fromClient = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ type: z.literal('scheme'), ...common, ...funding },
    ...{ encryptedCardNumber: text, encryptedExpiryMonth: text, encryptedExpiryYear: text },
    ...{
      encryptedSecurityCode: text.exactOptional(),
      holderName: text.exactOptional(),
      brand: text.exactOptional(),
    },
    threeDS2SdkVersion: text.exactOptional(),
  }),
  z.strictObject({ type: z.literal('applepay'), applePayToken: text.max(WALLET_MAX), ...common, ...funding }),
  z.strictObject({
    ...{ type: z.literal('googlepay'), googlePayToken: text.max(WALLET_MAX), ...common, ...funding },
    ...{ googlePayCardNetwork: text.exactOptional(), threeDS2SdkVersion: text.exactOptional() },
  }),
]);
