import type { App, Viewer } from '../../../app.ts';
import { canonicalMetadata } from '../../../platform/metadata.ts';
import { fingerprintOf } from '../../idempotency/index.ts';
import { canonicalBankAccount } from '../../payment-methods/index.ts';
import { canonicalGiftCards } from '../authorize/split-tender/split-tender.ts';
import type { MoneyKey } from '../engine/replay.ts';
import { canonicalOptions } from '../input/connection-options.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { mutationOf } from '../model/operation.ts';

/** A request to create a payment, as its idempotency key remembers the request. */
export type CreateRequest = {
  readonly input: CreateTransactionInput;
  /** The fingerprint of the card. Null when no card pays. */
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
  const { card, bank } = input.paymentMethod;
  const cardFingerprint = card && (await app.vault.fingerprint(merchantAccountId, card.number));
  if (idempotencyKey == null) return { input, cardFingerprint, key: null };
  const { threeDSecureRequest, threeDSecureAmount, threeDSecureData, connectionOptions, ...given } = input;
  const { ipAddress, browserInfo, ...fields } = given;
  const canonical = {
    ...fields,
    paymentMethod: bank
      ? { bank: await canonicalBankAccount(app, merchantAccountId, bank) }
      : canonicalMethod(input.paymentMethod, cardFingerprint),
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

const canonicalMethod = (
  { card, redirect, stored }: CreateTransactionInput['paymentMethod'],
  cardFingerprint: string | null,
) =>
  card
    ? { card: { number: cardFingerprint, expirationDate: card.expirationDate } }
    : { redirect, stored: stored && { id: stored.id.toLowerCase() } };
