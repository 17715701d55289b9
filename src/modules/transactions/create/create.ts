import { environmentOf } from '../../../platform/process/config.ts';
import type { App } from '../../../app.ts';
import { notFound, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { SQLSTATE, sqlState } from '../../../platform/database/db.ts';
import { refuseKey } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { StoredRows } from '../../payment-methods/index.ts';
import {
  asksProvider,
  findDefinition,
  leaseOf,
  releaseTrial,
  takeService,
  type Candidate,
  type Payee,
  type Taken,
} from '../../payment-services/index.ts';
import { approvalExpiresAt } from './approval.ts';
import { authenticate, type StartedAuthentication } from '../authorize/three-d-secure/authenticate.ts';
import { challengeExpiresAt } from '../authorize/three-d-secure/challenge.ts';
import { authorize } from '../authorize/authorize.ts';
import type { AuthorizationClaim } from '../claim/claim.ts';
import { unlessHeld } from '../hold/held-back.ts';
import { type Answer, keyRow, replay } from '../claim/replay.ts';
import { splitTender } from '../authorize/split-tender/split-tender.ts';
import { createTransactionInput } from '../input/inputs.ts';
import { mutationOf, type Operated } from '../model/operation.ts';
import type { CreateRefusal, PaymentsHeld } from '../model/refusals.ts';
import type { Paying } from '../instrument/paying.ts';
import { resolvePaying } from '../instrument/resolve-instrument.ts';
import { STORED_NOT_FOUND } from '../instrument/resolve-stored.ts';
import { tokenAt } from '../instrument/provider-token.ts';
import { planAfter, planOf, refusePlanOf } from './planned.ts';
import { countFailed, guessIn } from './guessed-card.ts';
import { prepareRequest, type CreateRequest } from './request.ts';
import { refuseSplitsOff } from '../input/splits.ts';
import { chooseRoute, type Routed } from './route.ts';
import { meansOf, sealMeans } from '../instrument/sealed-means.ts';
import { termsAt } from '../instrument/terms.ts';
import { columnsOf, type Origin, type Payment } from './columns.ts';
import { insertTransaction } from './create.sql.ts';

export type { Origin } from './columns.ts';

const NO_ORIGIN: Origin = { paymentLinkId: null, paymentLinkAttemptId: null };

/**
 * Creates a payment and authorises it, or authorises and captures it at once (intent). A card, a stored method, gift cards, or a
 * buyer who approves at the provider's page pays.
 *
 * input.amount: minor units, 0 to 99 999 999, above 0 to capture. A decline is an answer with a status, not a refusal.
 *
 * - With `store`, the transaction's first commit stores the method as `processing`. It succeeds or fails with the payment.
 * - Gift cards pay first and the method pays the rest. When the payment fails, redemptions are reversed.
 * - An active anti-fraud service screens the payment before any charge. A rejected payment is declined. A payment to review is
 *   authorised only.
 * - At a service with 3DS, the buyer is authenticated first, in the commit of the transaction. A failed authentication declines
 *   the payment, and a challenge waits for the buyer. Neither calls the provider. A provider with 3DS of its own is asked for it.
 *
 * Commits twice: the transaction and its pending authorisation before the provider call, outcome and event after. A crash between
 * leaves the transaction processing with the card sealed, without security code. Reconciliation sends again under the same key.
 * A refusal stores nothing and uses no idempotency key. Throws the database's refusal of a payment link's attempt that has ended.
 */
export async function createTransaction(
  app: App,
  viewer: Payee,
  given: unknown,
  idempotencyKey: string | null | undefined,
  origin: Origin = NO_ORIGIN,
): Promise<Result<Answer, CreateRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const checked = parseInput(createTransactionInput(app).now, given);
  if (!checked.ok) return (await answerLate(app, viewer, given, idempotencyKey)) ?? checked;
  const request = await prepareRequest(app, viewer, checked.value, idempotencyKey);
  // A link may be of another process, which takes splits already.
  const off = checked.value.splits && origin === NO_ORIGIN ? refuseSplitsOff(app) : null;
  if (off) return (await answerFromKey(app, viewer, request)) ?? refuse(off);
  const ids = { transactionId: app.ids.uuid(), paymentLinkId: origin.paymentLinkId };
  const [guess, read] = await Promise.all([
    refuseGuessed(app, viewer, request),
    readWays(app, viewer, ids, checked.value),
  ]);
  if (guess) return guess;
  const { paying } = read;
  if (!paying.ok) return (await answerFromKey(app, viewer, request)) ?? paying;
  // A repeat must not ask for balances. The gift cards may not hold the redeemed money any more.
  const before = checked.value.giftCards && (await answerFromKey(app, viewer, request));
  if (before) return before;
  const tender = read.tender ?? (await splitTender(app, viewer, checked.value, paying.value));
  if (!tender.ok) return (await answerFromKey(app, viewer, request)) ?? tender;
  const route =
    read.route ?? (await chooseRoute(app, viewer, { ...ids, input: checked.value, tender: tender.value }));
  const made = route.ok
    ? await start(app, viewer, {
        ...request,
        transactionId: ids.transactionId,
        origin,
        paying: tender.value,
        route: route.value,
      })
    : route;
  if (made.ok && made.value) {
    await countFailed(app, viewer, request.input, made.value);
    return ok({ ...made.value, replayed: false });
  }
  return (await answerFromKey(app, viewer, request)) ?? (made.ok ? goneSince(paying.value) : made);
}

/** The means of a payment, their parts, and its route. Null: gift cards must be asked for their balances first. */
type Ways = {
  readonly paying: Awaited<ReturnType<typeof resolvePaying>>;
  readonly tender: Awaited<ReturnType<typeof splitTender>> | null;
  readonly route: Awaited<ReturnType<typeof chooseRoute>> | null;
};

/** Reads the means and chooses the route, while the card is counted as a possible guess. Changes nothing. */
async function readWays(
  app: App,
  viewer: Payee,
  ids: Pick<Routed, 'transactionId' | 'paymentLinkId'>,
  input: CreateRequest['input'],
): Promise<Ways> {
  const paying = await resolvePaying(app, viewer, input);
  if (!paying.ok || input.giftCards) return { paying, tender: null, route: null };
  const tender = await splitTender(app, viewer, input, paying.value);
  return {
    paying,
    tender,
    route: tender.ok ? await chooseRoute(app, viewer, { ...ids, input, tender: tender.value }) : null,
  };
}

/** Returns the refusal for a stored record that was deleted between its look-up and the claim. */
const goneSince = ({ stored }: Paying) =>
  refuse(stored ? STORED_NOT_FOUND : notFound('buyer', ['input', 'buyerId']));

/** Answers a repeat of a request that was in time, although time has made its input wrong since. */
async function answerLate(
  app: App,
  viewer: Payee,
  given: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, CreateRefusal> | null> {
  const checked = parseInput(createTransactionInput(app).ever, given);
  if (!checked.ok) return null;
  const request = await prepareRequest(app, viewer, checked.value, idempotencyKey);
  return (await refuseGuessed(app, viewer, request)) ?? answerFromKey(app, viewer, request);
}

/**
 * Refuses a card number above a limit, before its key is looked up. The answer for a known key tells which of the given
 * values differ. Only a limit of failures still answers from the key.
 */
async function refuseGuessed(
  app: App,
  viewer: Payee,
  request: CreateRequest,
): Promise<Result<Answer, CreateRefusal> | null> {
  const refusal = await guessIn(app, viewer, request);
  if (!refusal) return null;
  return (refusal.limit === 'failures' && (await answerFromKey(app, viewer, request))) || refuse(refusal);
}

/** Returns the stored answer of the key, or null for an unused key. */
async function answerFromKey(
  app: App,
  viewer: Payee,
  { key }: CreateRequest,
): Promise<Result<Answer, CreateRefusal> | null> {
  const replayed = key && (await replay(app, viewer, key));
  return replayed?.ok ? ok({ ...replayed.value, replayed: true }) : replayed;
}

/**
 * Claims and runs the payment. Returns null when the key was used before. Refuses input that the chosen service does
 * not allow. A payment that is not claimed frees its trial of a service.
 */
async function start(
  app: App,
  viewer: Payee,
  request: Payment,
): Promise<Result<Operated | null, InvalidInput | PaymentsHeld>> {
  const noPlan = refusePlanOf(request.input, request.paying);
  if (noPlan) return refuse(noPlan);
  const taken = await takeService(app, request.route.services, null);
  if (!taken) throw new Error('The route has no payment service.');
  const claimed = await claim(app, viewer, request, taken);
  const { trial } = taken.standing;
  if (trial && !(claimed.ok && claimed.value)) await releaseTrial(app, trial);
  if (!claimed.ok || !claimed.value) return claimed.ok ? ok(null) : claimed;
  return ok(await planAfter(app, request.input, authorize(app, claimed.value)));
}

/** Claims the payment at a service. Null when the key was used before. */
async function claim(
  app: App,
  viewer: Payee,
  request: Payment,
  { service, standing, circuits }: Taken<Candidate>,
): Promise<Result<AuthorizationClaim | null, InvalidInput | PaymentsHeld>> {
  const { merchantAccountId } = viewer;
  const { transactionId } = request;
  const { card } = request.paying;
  const { accepting, ruling } = request.route;
  const now = app.clock.now();
  const expiry = approvalAt(app, request, service, now);
  if (!expiry.ok) return expiry;
  const operationId = app.ids.uuid();
  const columns = { ...columnsOf(request, expiry.value, service), circuits };
  const until = challengeExpiresAt(request.input.approvalExpiresAt, now);
  const termsOf = (at: Candidate) =>
    termsAt({ ...at, asksProvider: asksProvider(app, at) }, request.paying.stored, columns);
  const terms = termsOf(service);
  const authentication = await authenticate(app, service, {
    ...{ merchantAccountId, transactionId, operationId, card, details: columns },
    ...{ challengeExpiresAt: until, merchantProfile: terms.merchantProfile },
  });
  const token = await tokenAt(app, { merchantAccountId, ...columns }, service.id);
  const means = { ...meansOf(request.paying, request.paying.token ?? token), terms };
  const inserted = insertTransaction(app.db, {
    merchantAccountId,
    transactionId,
    operationId,
    choice: request.input.paymentServiceId === null ? 'first' : 'requested',
    tokenizes: columns.store && service.paymentMethodTokenizationEnabled,
    mutation: mutationOf.authorize,
    key: request.key && (await keyRow(app, merchantAccountId, request.key, { now, part: service.id })),
    now,
    leaseUntil: leaseOf(app, now),
    columns: { ...columns, ...authenticationColumns(authentication) },
    authentication,
    environment: environmentOf(app.config),
    sealedCard: await sealMeans(app.vault, merchantAccountId, operationId, means),
    storedRows: storedRowsOf(request.paying),
    ...planOf(app, request.input, now),
    redemptions: request.paying.redemptions,
  }).catch((error: unknown) => {
    // Another request with this key was first. This request left nothing.
    if (request.key && sqlState(error) === SQLSTATE.uniqueViolation) return null;
    throw error;
  });
  const claimed = await unlessHeld(inserted);
  if (!claimed.ok) return claimed;
  const alternatives = accepting.flatMap((other) => {
    if (other === service) return [];
    const its = approvalAt(app, request, other, now);
    if (!its.ok) return [];
    return [{ ...other, approvalExpiresAt: its.value, challengeExpiresAt: until, terms: termsOf(other) }];
  });
  const held = { ...means, connection: service, authorizationKey: null, alternatives, ruling, standing };
  return ok(claimed.value && { ...claimed.value, ...held });
}

/** Returns the columns that an authentication sets on its new transaction. */
const authenticationColumns = (authentication: StartedAuthentication | null) =>
  authentication && {
    threeDSecure: authentication.threeDSecure,
    ...(authentication.challenge && {
      approvalUrl: authentication.challenge.url,
      approvalExpiresAt: authentication.challenge.expiresAt,
    }),
  };

function approvalAt(app: App, { input }: CreateRequest, { definitionId }: Candidate, now: Date) {
  const definition = findDefinition(app, definitionId);
  if (!definition) throw new Error(`The definition ${definitionId} is not in the catalogue.`);
  const { approvalExpiresAt: given, connectionOptions: options } = input;
  return approvalExpiresAt({ given, options, definition, now });
}

/** Returns the stored records that the claim must lock, or null without any. */
function storedRowsOf({ buyerId, stored, made }: Paying): StoredRows | null {
  if (buyerId === null && !stored && !made) return null;
  return { buyerId, paymentMethodId: stored?.id ?? null, made };
}
