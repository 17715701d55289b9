import type { App, Viewer } from '../../app.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { SQLSTATE, sqlState } from '../../platform/db.ts';
import { refuseKey } from '../../platform/idempotency/create-once.ts';
import { fingerprintOf } from '../../platform/idempotency/fingerprint.ts';
import { parseInput } from '../../platform/validate.ts';
import { findCandidates, type Candidate } from '../payment-services/index.ts';
import { cardFacts } from './card.ts';
import { carryOut } from './carry-out.ts';
import type { Answer } from './follow-up.ts';
import { createTransactionInput, type CreateTransactionInput } from './input.ts';
import { mutationOf } from './operation.ts';
import type { CreateRefusal } from './refusals.ts';
import { keyRow, replay, type MoneyKey } from './replay.ts';
import { leaseUntil } from './schedule.ts';
import { sealCard } from './sealed-card.ts';
import type { Operated } from './settle.ts';
import { insertTransaction, type NewColumns } from './store/create.ts';

/**
 * Makes a payment with a card: authorises it, or authorises and captures it at once (intent).
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
  const checked = parseInput(createTransactionInput(app.clock.now()), given);
  if (!checked.ok) return checked;
  const request = await prepare(app, viewer, checked.value, idempotencyKey);
  const [service] = await candidates(app, viewer, checked.value);
  const made = service && (await start(app, viewer, request, service));
  if (made) return ok({ ...made, replayed: false });
  const replayed = request.key && (await replay(app, viewer, request.key));
  if (replayed) return replayed.ok ? ok({ ...replayed.value, replayed: true }) : replayed;
  return refuse({ kind: 'NoPaymentService' });
}

type Request = {
  readonly input: CreateTransactionInput;
  readonly cardFingerprint: string;
  readonly key: MoneyKey | null;
};

/** The security code is no part of what a key remembers, and the card number only as a keyed digest. */
async function prepare(
  app: App,
  { merchantAccountId }: Viewer,
  input: CreateTransactionInput,
  idempotencyKey: string | null | undefined,
): Promise<Request> {
  const { number, expirationDate } = input.paymentMethod.card;
  const cardFingerprint = await app.vault.fingerprint(merchantAccountId, number);
  if (idempotencyKey == null) return { input, cardFingerprint, key: null };
  const canonical = { ...input, paymentMethod: { card: { number: cardFingerprint, expirationDate } } };
  const fingerprint = fingerprintOf({ input: canonical });
  return {
    input,
    cardFingerprint,
    key: { mutation: mutationOf.authorize, key: idempotencyKey, fingerprint },
  };
}

const candidates = (app: App, { merchantAccountId }: Viewer, input: CreateTransactionInput) =>
  findCandidates(app, merchantAccountId, {
    method: 'card',
    currency: input.currency,
    country: input.country,
    paymentServiceId: input.paymentServiceId,
  });

/** Claims and carries out; null when the key was used before. */
async function start(
  app: App,
  viewer: Viewer,
  request: Request,
  service: Candidate,
): Promise<Operated | null> {
  const { merchantAccountId } = viewer;
  const { card } = request.input.paymentMethod;
  const now = app.clock.now();
  const operationId = app.ids.uuid();
  const claimed = await insertTransaction(app.db, {
    merchantAccountId,
    transactionId: app.ids.uuid(),
    operationId,
    mutation: mutationOf.authorize,
    key: request.key && keyRow(request.key, now),
    now,
    leaseUntil: leaseUntil(now, app.config.PAYGRAPH_PROVIDER_DEADLINE_MS),
    columns: columnsOf(request, service.id),
    sealedCard: await sealCard(app.vault, merchantAccountId, operationId, card),
  }).catch((error: unknown) => {
    // Another request with this key was first; this one left nothing.
    if (request.key && sqlState(error) === SQLSTATE.uniqueViolation) return null;
    throw error;
  });
  return claimed && carryOut(app, { ...claimed, connection: service, card });
}

function columnsOf({ input, cardFingerprint }: Request, paymentServiceId: string): NewColumns {
  const { paymentMethod, ...columns } = input;
  const { scheme, bin, lastFour } = cardFacts(paymentMethod.card.number);
  return {
    ...columns,
    method: 'card',
    instrumentType: 'pan',
    cardScheme: scheme,
    cardBin: bin,
    cardLastFour: lastFour,
    cardExpirationDate: paymentMethod.card.expirationDate,
    cardFingerprint,
    paymentServiceId,
  };
}
