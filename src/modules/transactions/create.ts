import type { App, Viewer } from '../../app.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { SQLSTATE, sqlState } from '../../platform/db.ts';
import { refuseKey } from '../../platform/idempotency/create-once.ts';
import { fingerprintOf } from '../../platform/idempotency/fingerprint.ts';
import { parseInput } from '../../platform/validate.ts';
import { findCandidates, findDefinition, type Candidate } from '../payment-services/index.ts';
import { approvalExpiresAt } from './approval.ts';
import { cardFacts } from './card.ts';
import { carryOut } from './carry-out.ts';
import type { Answer } from './follow-up.ts';
import { canonicalOptions } from './input/connection-options.ts';
import { createTransactionInput, type CreateTransactionInput } from './input.ts';
import { mutationOf } from './operation.ts';
import type { CreateRefusal } from './refusals.ts';
import { keyRow, replay, type MoneyKey } from './replay.ts';
import { leaseUntil } from './schedule.ts';
import { sealCard } from './sealed-card.ts';
import type { Operated } from './settle.ts';
import { insertTransaction, type NewColumns } from './store/create.ts';

/**
 * Makes a payment with a card, or one that the buyer approves at the provider's page: authorises it, or authorises and captures it at once (intent).
 * input.amount: minor units, 0 to 99 999 999, above 0 to capture. A decline is an answer with a status, not a refusal.
 * Commits twice: the transaction and its pending authorisation before the provider is called, its outcome and event after.
 * A crash between leaves it processing with the card sealed (no security code); reconciliation asks again under the same
 * key. A refusal stores nothing and uses no idempotency key up.
 */
export async function createTransaction(
  app: App,
  viewer: Viewer,
  given: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, CreateRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const checked = parseInput(createTransactionInput(app).now, given);
  if (!checked.ok) return (await answerLate(app, viewer, given, idempotencyKey)) ?? checked;
  const request = await prepare(app, viewer, checked.value, idempotencyKey);
  const [service, ...alternatives] = await candidates(app, viewer, checked.value);
  const made = service ? await start(app, viewer, request, service, alternatives) : NO_PAYMENT_SERVICE;
  if (made.ok && made.value) return ok({ ...made.value, replayed: false });
  return (await answerFromKey(app, viewer, request)) ?? (made.ok ? NO_PAYMENT_SERVICE : made);
}

const NO_PAYMENT_SERVICE = refuse({ kind: 'NoPaymentService' } as const);

/** A repeat of a request that was made in time is answered, although time has made its input wrong since. */
async function answerLate(
  app: App,
  viewer: Viewer,
  given: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, CreateRefusal> | null> {
  const checked = parseInput(createTransactionInput(app).ever, given);
  return checked.ok
    ? answerFromKey(app, viewer, await prepare(app, viewer, checked.value, idempotencyKey))
    : null;
}

/** The answer that the key remembers; null when it was never used. */
async function answerFromKey(
  app: App,
  viewer: Viewer,
  { key }: Request,
): Promise<Result<Answer, CreateRefusal> | null> {
  const replayed = key && (await replay(app, viewer, key));
  return replayed?.ok ? ok({ ...replayed.value, replayed: true }) : replayed;
}

type Request = {
  readonly input: CreateTransactionInput;
  /** Null unless a card pays. */
  readonly cardFingerprint: string | null;
  readonly key: MoneyKey | null;
};

/** The security code is no part of what a key remembers, and the card number only as a keyed digest. */
async function prepare(
  app: App,
  { merchantAccountId }: Viewer,
  input: CreateTransactionInput,
  idempotencyKey: string | null | undefined,
): Promise<Request> {
  const { card, redirect } = input.paymentMethod;
  const cardFingerprint = card && (await app.vault.fingerprint(merchantAccountId, card.number));
  if (idempotencyKey == null) return { input, cardFingerprint, key: null };
  const { threeDSecureAmount, connectionOptions, ...fields } = input;
  const canonical = {
    ...fields,
    paymentMethod: card
      ? { card: { number: cardFingerprint, expirationDate: card.expirationDate } }
      : { redirect },
    threeDSecure: { amount: threeDSecureAmount },
    connectionOptions: connectionOptions && canonicalOptions(connectionOptions),
  };
  const fingerprint = fingerprintOf({ input: canonical });
  return {
    input,
    cardFingerprint,
    key: { mutation: mutationOf.authorize, key: idempotencyKey, fingerprint },
  };
}

const candidates = (app: App, { merchantAccountId }: Viewer, input: CreateTransactionInput) =>
  findCandidates(app, merchantAccountId, {
    method: methodOf(input),
    currency: input.currency,
    country: input.country,
    paymentServiceId: input.paymentServiceId,
  });

/** Claims and carries out; null when the key was used before. Refuses what the chosen service does not allow. */
async function start(
  app: App,
  viewer: Viewer,
  request: Request,
  service: Candidate,
  alternatives: readonly Candidate[],
): Promise<Result<Operated | null, InvalidInput>> {
  const { merchantAccountId } = viewer;
  const { card } = request.input.paymentMethod;
  const now = app.clock.now();
  const expiry = approvalAt(app, request, service, now);
  if (!expiry.ok) return expiry;
  const operationId = app.ids.uuid();
  const claimed = await insertTransaction(app.db, {
    merchantAccountId,
    transactionId: app.ids.uuid(),
    operationId,
    choice: request.input.paymentServiceId === null ? 'first' : 'requested',
    mutation: mutationOf.authorize,
    key: request.key && keyRow(request.key, now),
    now,
    leaseUntil: leaseUntil(now, app.config.PAYGRAPH_PROVIDER_DEADLINE_MS),
    columns: columnsOf(request, service.id, expiry.value),
    sealedCard: card && (await sealCard(app.vault, merchantAccountId, operationId, card)),
  }).catch((error: unknown) => {
    // Another request with this key was first; this one left nothing.
    if (request.key && sqlState(error) === SQLSTATE.uniqueViolation) return null;
    throw error;
  });
  const others = alternatives.flatMap((other) => {
    const its = approvalAt(app, request, other, now);
    return its.ok ? [{ ...other, approvalExpiresAt: its.value }] : [];
  });
  const claim = { connection: service, card, authorizationKey: null, alternatives: others };
  return ok(claimed && (await carryOut(app, { ...claimed, ...claim })));
}

function approvalAt(app: App, { input }: Request, { definitionId }: Candidate, now: Date) {
  const definition = findDefinition(app, definitionId);
  if (!definition) throw new Error(`The definition ${definitionId} is not in the catalogue.`);
  const { approvalExpiresAt: given, connectionOptions: options } = input;
  return approvalExpiresAt({ given, options, definition, now });
}

const methodOf = ({ paymentMethod }: CreateTransactionInput): string =>
  paymentMethod.redirect?.method ?? 'card';

function columnsOf(
  { input, cardFingerprint }: Request,
  paymentServiceId: string,
  approvalExpiry: Date | null,
): NewColumns {
  const { paymentMethod, ...columns } = input;
  const { card } = paymentMethod;
  const facts = card && cardFacts(card.number);
  return {
    ...columns,
    method: methodOf(input),
    instrumentType: card ? 'pan' : 'redirect',
    cardScheme: facts?.scheme ?? null,
    cardBin: facts?.bin ?? null,
    cardLastFour: facts?.lastFour ?? null,
    cardExpirationDate: card?.expirationDate ?? null,
    cardFingerprint,
    approvalExpiresAt: approvalExpiry,
    paymentServiceId,
  };
}
