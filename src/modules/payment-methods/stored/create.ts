import type { App, Viewer } from '../../../app.ts';
import {
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Refused, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { answerOnce, isKeyKnown, refuseKey, type Once, createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { fromJson, toJson, type Json } from '../model/buyer.ts';
import type { Ask } from '../input/card.ts';
import { storePaymentMethodInput, type StoreInput } from '../input/stored.ts';
import { findBuyerIdBy, findBuyersByIds, lockBuyer } from '../store/buyers/buyers.ts';
import { replaceToken, type NewToken } from '../store/payment-method-tokens.ts';
import { insertPaymentMethod } from '../store/payment-methods.ts';
import { describeInstrument, type Described } from './describe.ts';
import { recordPaymentMethodEvent } from './event.ts';
import { digestToken, sealInstrument, sealToken } from './instrument.ts';
import { canonicalInput } from './canonical-input.ts';
import { refuseGuess, type TooManyCardNumbers } from '../guesses/refuse-guess.ts';
import { refuseMandate } from './at-provider/mandate-service.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { paymentMethodTerms } from './terms.ts';

/** A stored payment method. `replayed` is true if the answer comes from the idempotency key. */
export type StoredPaymentMethod = { readonly paymentMethod: PaymentMethod; readonly replayed: boolean };

type StoreRefusal = InvalidInput | NotFound | IdempotencyRefusal | TooManyCardNumbers;

/**
 * Stores a payment method. No provider is called: the status is `processing` until a first payment is approved.
 *
 * - Checks the security code of a card and does not store the code.
 * - Stores a repeated card as another payment method with the same fingerprint.
 * - Refuses an unknown buyer.
 * - Refuses a card number above a limit for guesses.
 * - Refuses a mandate at a service that cannot revoke mandates.
 *
 * Commits once: the payment method, its token, its event and the idempotency key.
 */
export async function storePaymentMethod(
  app: App,
  viewer: Viewer,
  given: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<StoredPaymentMethod, StoreRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const requested: Requested = { app, viewer, key: idempotencyKey, now: app.clock.now() };
  const parsed = parse(requested, given, (question) => question(requested.now));
  if (parsed.ok) {
    const refusal = await refuseUnknownReferences(requested, parsed.value);
    return refusal ? replayOr(requested, parsed.value, refusal) : store(requested, parsed.value);
  }
  // A replay gets the first answer, even if the input has become invalid since.
  const ever = parse(requested, given, () => true);
  return ever.ok ? replayOr(requested, ever.value, parsed) : parsed;
}

/** Refuses a card number above a limit, before its key is looked up. */
async function refuseGuessed(
  { app, viewer: { merchantAccountId } }: Requested,
  { instrument: { card } }: StoreInput,
): Promise<TooManyCardNumbers | null> {
  if (!card) return null;
  const { number } = card;
  const fingerprint = await app.vault.fingerprint(merchantAccountId, number);
  return await refuseGuess(app, { merchantAccountId, number, fingerprint, path: NUMBER });
}

const NUMBER: readonly string[] = ['input', 'instrument', 'card', 'number'];

const parse = ({ app }: Requested, given: unknown, ask: Ask): Result<StoreInput, InvalidInput> =>
  parseInput(storePaymentMethodInput(app, ask), given);

/** A request with its viewer, its idempotency key and its time. */
type Requested = {
  readonly app: App;
  readonly viewer: Viewer;
  readonly key: string | null | undefined;
  readonly now: Date;
};

/** Checks the buyer and the service before anything is sealed. The buyer is checked again under its lock. */
async function refuseUnknownReferences(
  { app, viewer }: Requested,
  input: StoreInput,
): Promise<Refused<InvalidInput | NotFound> | null> {
  const buyerId = await buyerIdOf(app, viewer, input);
  const [buyer] = buyerId == null ? [] : await findBuyersByIds(app.db, viewer.merchantAccountId, [buyerId]);
  if (buyerId !== undefined && !buyer) return refuse(notFound('buyer', buyerPath(input)));
  const mandate = await refuseMandate(app, viewer, input.instrument.instantBankMandate);
  return mandate && refuse(mandate);
}

/** Returns the answer that the idempotency key remembers, or else the refusal. */
async function replayOr(
  requested: Requested,
  input: StoreInput,
  refusal: Refused<InvalidInput | NotFound>,
): Promise<Result<StoredPaymentMethod, StoreRefusal>> {
  if (!(await isKeyKnown(requested.app.db, keyOf(requested)))) return refusal;
  const guess = await refuseGuessed(requested, input);
  if (guess) return refuse(guess);
  const stored = await answerOnce<Json<PaymentMethod>>(requested.app.db, await onceOf(requested, input));
  return stored ? shown(stored) : refusal;
}

async function store(
  requested: Requested,
  input: StoreInput,
): Promise<Result<StoredPaymentMethod, StoreRefusal>> {
  const { app, viewer, now } = requested;
  const guess = await refuseGuessed(requested, input);
  if (guess) return refuse(guess);
  const once = await onceOf(requested, input);
  const prepared = await prepare(app, viewer, input, now);
  const buyerId = await buyerIdOf(app, viewer, input);
  const created = await createOrRefuse(app.db, once, async (tx): Promise<Created> => {
    const buyer = buyerId == null ? null : await lockBuyer(tx, viewer.merchantAccountId, buyerId);
    if (buyerId !== undefined && !buyer) return refuse(notFound('buyer', buyerPath(input)));
    const paymentMethod = { ...prepared.paymentMethod, buyerId: buyer?.id ?? null };
    return ok(toJson(await write(app, tx, { ...prepared, paymentMethod })));
  });
  return shown(created);
}

type Created = Result<Json<PaymentMethod>, InvalidInput | NotFound>;

function shown<Refusal>(
  created: Result<{ readonly value: Json<PaymentMethod>; readonly replayed: boolean }, Refusal>,
): Result<StoredPaymentMethod, Refusal> {
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({ paymentMethod: fromJson<PaymentMethod>(value), replayed });
}

const keyOf = ({ viewer: { merchantAccountId }, key, now }: Requested): Omit<Once, 'input'> => ({
  merchantAccountId,
  operation: 'storePaymentMethod',
  key,
  now,
});

const onceOf = async (requested: Requested, input: StoreInput): Promise<Once> => ({
  ...keyOf(requested),
  input:
    requested.key == null
      ? {}
      : { input: await canonicalInput(requested.app, requested.viewer.merchantAccountId, input) },
});

/**
 * Returns the id of the requested buyer. Null: no buyer has this external identifier. Undefined: the input
 * names no buyer.
 */
async function buyerIdOf(
  app: App,
  { merchantAccountId }: Viewer,
  { buyerId, buyerExternalIdentifier }: StoreInput,
): Promise<string | null | undefined> {
  if (buyerExternalIdentifier === null) return buyerId ?? undefined;
  return await findBuyerIdBy(app.db, merchantAccountId, buyerExternalIdentifier);
}

const buyerPath = ({ buyerId }: StoreInput): readonly string[] => [
  'input',
  buyerId === null ? 'buyerExternalIdentifier' : 'buyerId',
];

/** The rows to write, sealed before a transaction opens. */
type Prepared = {
  readonly paymentMethod: PaymentMethod;
  readonly sealedInstrument: string | null;
  readonly token: NewToken | null;
};

async function prepare(
  app: App,
  { merchantAccountId }: Viewer,
  input: StoreInput,
  now: Date,
): Promise<Prepared> {
  const { shown: known, secret, identity, mandate } = describeInstrument(input.instrument);
  const owner = { merchantAccountId, id: app.ids.uuid() };
  const paymentMethod: PaymentMethod = {
    ...NEW,
    ...known,
    ...owner,
    fingerprint: identity === null ? null : await app.vault.fingerprint(merchantAccountId, identity),
    externalIdentifier: input.externalIdentifier,
    createdAt: now,
    updatedAt: now,
  };
  return {
    paymentMethod,
    sealedInstrument: secret && (await sealInstrument(app.vault, owner, secret)),
    token: mandate && (await mandateToken(app, owner, mandate)),
  };
}

async function mandateToken(
  app: App,
  { merchantAccountId, id: paymentMethodId }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
  { paymentServiceId, mandate }: NonNullable<Described['mandate']>,
): Promise<NewToken> {
  const owner = { merchantAccountId, id: app.ids.uuid() };
  const sealedToken = await sealToken(app.vault, owner, mandate);
  const tokenDigest = await digestToken(app.vault, merchantAccountId, mandate);
  return { ...owner, paymentMethodId, paymentServiceId, sealedToken, tokenDigest, mandate: true };
}

async function write(
  app: App,
  tx: Tx,
  { paymentMethod, sealedInstrument, token }: Prepared,
): Promise<PaymentMethod> {
  await insertPaymentMethod(tx, paymentMethod, {
    sealedInstrument,
    terms: paymentMethodTerms(paymentMethod),
  });
  if (token) await replaceToken(tx, token, paymentMethod.createdAt);
  await recordPaymentMethodEvent(app, tx, 'created', paymentMethod);
  return paymentMethod;
}

/** Fields of a new payment method that are still unknown. No installed library knows the issuer's country. */
export const NEW = {
  buyerId: null,
  status: 'processing',
  additionalSchemes: [],
  issuerCountry: null,
  schemeTransactionId: null,
  schemeTransactionIdScheme: null,
  schemeTransactionServiceId: null,
  transactionLinkId: null,
  approvalUrl: null,
  usageCount: 0,
  lastUsedAt: null,
  citUsageCount: 0,
  citLastUsedAt: null,
} as const;
