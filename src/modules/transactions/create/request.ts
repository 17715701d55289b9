import type { App, Viewer } from '../../../app.ts';
import { withoutNulls } from '../../../kernel/without-nulls.ts';
import { canonicalMetadata } from '../../../platform/input/metadata.ts';
import { fingerprintOf } from '../../idempotency/index.ts';
import { canonicalBankAccount, tokenIdentity } from '../../payment-methods/index.ts';
import { canonicalGiftCards } from '../authorize/split-tender/split-tender.ts';
import type { MoneyKey } from '../claim/replay.ts';
import { canonicalOptions } from '../input/connection-options.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { mutationOf } from '../model/operation.ts';

/** A request to create a payment, as its idempotency key remembers the request. */
export type CreateRequest = {
  readonly input: CreateTransactionInput;
  /** The fingerprint of the card or the network token. Null when neither pays. */
  readonly cardFingerprint: string | null;
  readonly key: MoneyKey | null;
};

/** Prepares a request. A key never remembers the security code, and remembers the card number only as a keyed digest. */
export async function prepareRequest(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  input: CreateTransactionInput,
  idempotencyKey: string | null | undefined,
): Promise<CreateRequest> {
  const { card, bank, networkToken } = input.paymentMethod;
  const number = card?.number ?? (networkToken && tokenIdentity(networkToken.number));
  const cardFingerprint = number && (await app.vault.fingerprint(merchantAccountId, number));
  if (idempotencyKey == null) return { input, cardFingerprint, key: null };
  const { threeDSecureRequest, threeDSecureAmount, threeDSecureData, connectionOptions, ...given } = input;
  const { ipAddress, browserInfo, orderDetails, splits, retryPlan, ...fields } = given;
  const canonical = {
    ...fields,
    paymentMethod: bank
      ? { bank: await canonicalBankAccount(app, merchantAccountId, bank) }
      : ((await canonicalToken(app, merchantAccountId, input.paymentMethod)) ??
        canonicalMethod(input.paymentMethod, cardFingerprint)),
    buyerId: fields.buyerId?.toLowerCase() ?? null,
    paymentServiceId: fields.paymentServiceId?.toLowerCase() ?? null,
    giftCards: fields.giftCards && (await canonicalGiftCards(app, { merchantAccountId }, fields.giftCards)),
    threeDSecure: {
      // Keys from before this field keep their fingerprints.
      ...(threeDSecureRequest !== 'automatic' && { request: threeDSecureRequest }),
      amount: threeDSecureAmount,
      ...threeDSecureData,
    },
    // As above.
    ...(ipAddress !== null && { ipAddress }),
    ...(browserInfo && { browserInfo }),
    ...(orderDetails && withoutNulls<string | number | boolean>(orderDetails)),
    ...(splits && { splits }),
    ...(retryPlan && { retryPlan }),
    metadata: fields.metadata && canonicalMetadata(fields.metadata),
    connectionOptions: connectionOptions && canonicalOptions(connectionOptions),
  };
  const fingerprint = fingerprintOf({ input: canonical });
  return {
    input,
    cardFingerprint,
    key: { mutation: mutationOf.authorize, key: idempotencyKey, fingerprint },
  };
}

type Given = CreateTransactionInput['paymentMethod'];

/** Returns the keyed digest of a wallet's or a provider's token, or null without one. */
async function canonicalToken({ vault }: App, merchantAccountId: string, given: Given) {
  const kind = (['applePay', 'googlePay', 'providerToken'] as const).find((each) => given[each] !== null);
  const token = kind && given[kind]?.token;
  if (!kind || token === undefined) return null;
  return { [kind]: { token: await vault.fingerprint(merchantAccountId, `${kind}:${token}`) } };
}

/** Returns the form of a method without secrets. Neither a security code nor a cryptogram is remembered. */
function canonicalMethod({ card, networkToken, redirect, stored }: Given, fingerprint: string | null) {
  // Keys from before the choice of a network keep their fingerprints.
  if (card) {
    const { expirationDate, network } = card;
    return { card: { number: fingerprint, expirationDate, ...(network !== null && { network }) } };
  }
  if (networkToken) {
    const { cryptogram: _, ...known } = networkToken;
    return { networkToken: { ...known, number: fingerprint } };
  }
  if (!stored) return { redirect, stored };
  const { id, eci, network } = stored;
  const more = { ...(eci !== null && { eci }), ...(network !== null && { network }) };
  return { redirect, stored: { id: id.toLowerCase(), ...more } };
}
