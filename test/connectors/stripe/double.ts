import type Stripe from 'stripe';
import { createHmac, randomUUID } from 'node:crypto';
import { createFaults, type AccountFault, type Faults } from '../double-faults.ts';
import {
  listenOn,
  MAINTENANCE,
  postWebhooks,
  type DoubleAnswer,
  type DoubleEvent,
  type DoubleRequest,
  type DoubleServer,
} from '../double-server.ts';
import { failPayout, payOut, reconcilePayout } from './balance.ts';
import { booksOf, type StripeBooks } from './books.ts';
import { expire, failDebit, returnDebit } from './charges.ts';
import { decideDispute, escalate, openDispute, type DisputeFacts } from './disputes.ts';
import { elsewhere, type StripeElsewhere } from './elsewhere.ts';
import { uploadFile } from './files.ts';
import { readForm, type Values } from './form.ts';
import { checkTexts } from './limits.ts';
import type { Gate } from './gated.ts';
import { decidePayment, type BuyerDecision } from './intents.ts';
import { createKeys, type KeptAnswer, type Keys } from './keys.ts';
import { detachMethod, renameBuyer, replaceCard, type NewCard } from './new-cards.ts';
import { expanded } from './reads.ts';
import { completeRefund, failRefund } from './refunds.ts';
import { errorBody, refusalOf, refuse, refuseParameter } from './refusal.ts';
import { CALLS, findCall } from './routes.ts';
import { decideSetup } from './setups.ts';
import { spoil } from './spoil.ts';
import { API_VERSION, chargeOf, createWorld, passTime, type StripeWorld } from './world.ts';

export type StripeDoubleSettings = {
  readonly now?: () => Date;
  /** Returns a new text for an id, such as a counter. */
  readonly newId?: () => string;
  /** The secret key of the account. */
  readonly secretKey?: string;
  /** The secret of the webhook endpoint. */
  readonly webhookSecret?: string;
  /** False if the account may not send the numbers of cards. */
  readonly takesRawCards?: boolean;
  /** The parts of the API that Stripe has opened for the account. Left out: none. */
  readonly gates?: readonly Gate[];
  /** False if no charge can be captured more than once. */
  readonly hasMulticapture?: boolean;
  /** The time until a search finds a new payment. */
  readonly searchLagMs?: number;
};

/** A stateful double of Stripe's API. Written from Stripe's documentation and the types of its SDK. */
export type StripeDouble = Pick<Faults<AccountFault>, 'failNext' | 'behave' | 'release'> & {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Every request that arrived, with its fault. */
  readonly requests: readonly (DoubleRequest & { readonly fault: AccountFault | null })[];
  handle(request: DoubleRequest): Promise<DoubleAnswer>;
  /** Serves the double on 127.0.0.1. The pages for buyers are then at the same address. */
  listen(): Promise<DoubleServer>;
  books(): StripeBooks;
  /** Takes the webhooks that the double owes, signed now. */
  webhooks(): readonly DoubleEvent[];
  /** Signs an event that a test made. */
  sign(event: { readonly id: string; readonly type: string }): DoubleEvent;
  /** Posts the owed webhooks, or these. Returns the statuses of the answers. */
  postTo(url: string, webhooks?: readonly DoubleEvent[]): Promise<readonly number[]>;
  /** The events that a test decides. Each names an object by its id. */
  readonly hands: StripeHands;
  /** The acts of others with the same account. */
  readonly elsewhere: StripeElsewhere;
};

export type StripeHands = {
  /** Lets the buyer decide. Returns the address to which the page sends the buyer, or null. */
  decide(intentId: string, decision: BuyerDecision): string | null;
  /** Lets an authorisation lapse before its time. */
  expire(paymentId: string): void;
  /** Fails a debit under way, such as with `insufficient_funds`. */
  failDebit(paymentId: string, code: string): void;
  /** Takes a debit back that had succeeded. */
  returnDebit(paymentId: string, reason?: string): void;
  completeRefund(refundId: string): void;
  /** Fails a refund, also one that had succeeded. */
  failRefund(refundId: string, reason?: string): void;
  /** Opens a dispute. Returns its id. */
  dispute(paymentId: string, facts?: Partial<DisputeFacts>): string;
  /** Turns an inquiry into a chargeback. */
  escalate(disputeId: string): void;
  decideDispute(disputeId: string, decision: 'won' | 'lost'): void;
  /** Lets the issuer send a new card for a payment method. */
  replaceCard(methodId: string, card: NewCard): void;
  /** Changes the name of the buyer, and leaves the card. */
  renameBuyer(methodId: string, name: string): void;
  /** Detaches a payment method from its customer in the Dashboard. */
  detach(methodId: string): void;
  /** Pays the balance of a currency out. Returns the id of the payout, or null if nothing is left. */
  payOut(currency: string, reconciliation?: Stripe.Payout['reconciliation_status']): string | null;
  /** Lets the entries of a payout be listed. */
  reconcilePayout(payoutId: string): void;
  failPayout(payoutId: string): void;
};

export function createStripeDouble({
  now = () => new Date(),
  newId = () => randomUUID().replaceAll('-', ''),
  secretKey = 'sk_test_double',
  webhookSecret = 'whsec_double',
  ...settings
}: StripeDoubleSettings = {}): StripeDouble {
  const { takesRawCards = true, gates = [], hasMulticapture = true, searchLagMs = 60_000 } = settings;
  const accountId = `acct_${newId()}`;
  const world = createWorld({
    ...{ now, newId, settings: { takesRawCards, gates, hasMulticapture, searchLagMs, accountId } },
  });
  const faults = createFaults<AccountFault>();
  const requests: (DoubleRequest & { readonly fault: AccountFault | null })[] = [];
  const desk: Desk = { world, keys: createKeys(now), faults, secretKey };
  const webhooks = (): readonly DoubleEvent[] => {
    passTime(world);
    return world.owed.splice(0).map((event) => sign(event, webhookSecret, now()));
  };
  const handle = (request: DoubleRequest): Promise<DoubleAnswer> => {
    passTime(world);
    if (request.path.startsWith('/redirect/')) return Promise.resolve(showPage(world, request));
    const fault = faults.take(request);
    requests.push({ ...request, fault });
    return answer(desk, request, fault);
  };
  return {
    ...{ secretKey, webhookSecret, requests, handle, webhooks },
    sign: (event) => sign(event, webhookSecret, now()),
    ...{ failNext: faults.failNext, behave: faults.behave, release: faults.release },
    listen: async () => {
      const listening = await listenOn({ serve: handle });
      world.pages = listening.url;
      return listening;
    },
    books: () => {
      passTime(world);
      return booksOf(world);
    },
    postTo: (url, given) => postWebhooks(url, given ?? webhooks()),
    ...{ hands: createHands(world), elsewhere: elsewhere(world) },
  };
}

type Desk = {
  readonly world: StripeWorld;
  readonly keys: Keys;
  readonly faults: Faults<AccountFault>;
  readonly secretKey: string;
};

/** Answers with the faults that happen before Stripe reads a request, or lets Stripe work. */
async function answer(desk: Desk, request: DoubleRequest, fault: AccountFault | null): Promise<DoubleAnswer> {
  const requestId = desk.world.newId('req');
  switch (fault) {
    case 'lose_request':
      return null;
    case 'maintenance':
      return MAINTENANCE;
    case 'rate_limited':
    case 'rate_limited_with_hint':
      return tooMany(requestId, fault === 'rate_limited_with_hint');
    case 'lock_timeout':
      return reply(requestId, 429, lockTimeout, { 'stripe-should-retry': 'true' });
    case 'unauthorized':
    case 'expired_token':
      return reply(requestId, 401, invalidKey(fault === 'expired_token'));
    case 'forbidden':
      return reply(requestId, 403, lacksPermission);
    default:
      return perform(desk, request, { fault, requestId });
  }
}

type Work = { readonly fault: AccountFault | null; readonly requestId: string };

/** Checks a request, and works once for each key. */
async function perform(desk: Desk, request: DoubleRequest, work: Work): Promise<DoubleAnswer> {
  const { keys, faults } = desk;
  const { fault, requestId } = work;
  const key = request.method === 'POST' ? (request.headers['idempotency-key'] ?? null) : null;
  desk.world.account = request.headers['stripe-account'] ?? null;
  const echo: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
  let begun = false;
  try {
    const ready = check(desk, request);
    if (key !== null) {
      const kept = keys.begin(key, { endpoint: ready.endpoint, parameters: ready.parameters });
      if (kept) return await replay(desk, kept, { ...work, echo });
      begun = true;
    }
    const done = run(desk, ready, { ...work, key });
    if (fault === 'hang') await faults.released();
    if (key !== null) keys.keep(key, done);
    return finish(done, fault, headersOf(requestId, { ...echo, ...retryOf(done.status) }));
  } catch (error) {
    if (key !== null && begun) keys.forget(key);
    const refusal = refusalOf(error);
    return reply(requestId, refusal.status, errorBody(refusal), { ...echo, ...retryOf(refusal.status) });
  }
}

type Ready = {
  readonly endpoint: string;
  readonly parameters: string;
  readonly work: (world: StripeWorld) => object;
};

/** Checks everything that Stripe checks before a request begins to execute. */
function check(
  { world: { settings }, secretKey }: Desk,
  { method, path, headers, body }: DoubleRequest,
): Ready {
  const [pathname = '', query = ''] = path.split('?');
  if (headers['authorization'] !== `Bearer ${secretKey}`)
    refuse({
      ...{ status: 401, type: 'invalid_request_error' },
      message: 'Invalid API Key provided: sk_test_****.',
    });
  if (headers['stripe-version'] !== API_VERSION)
    refuseParameter(`The double only speaks the version ${API_VERSION}, so name it in Stripe-Version.`);
  const endpoint = `${method} ${pathname}`;
  const contentType = headers['content-type'] ?? '';
  if (endpoint === 'POST /v1/files')
    return { endpoint, parameters: body, work: (world) => uploadFile(world, contentType, body) };
  const call = findCall(method, pathname);
  if (!call)
    return refuse({
      ...{ status: 404, type: 'invalid_request_error' },
      message: `Unrecognized request URL (${method}: ${pathname}).`,
    });
  if (method === 'POST' && body !== '' && !contentType.startsWith('application/x-www-form-urlencoded'))
    refuseParameter('Requests must be application/x-www-form-urlencoded.');
  if (method === 'POST' && query !== '') refuseParameter('The parameters of a POST belong to its body.');
  const values: Values = readForm(call.name, method === 'POST' ? body : query, settings.gates);
  checkTexts(values);
  return {
    ...{ endpoint, parameters: JSON.stringify(values) },
    work: (world) => expanded(world, CALLS[call.name]?.(world, values, call.id) ?? {}, values),
  };
}

/** Executes a request. From here on its result is kept, whatever it is. */
function run(
  { world }: Desk,
  { work }: Ready,
  { fault, requestId, key }: Work & { readonly key: string | null },
): KeptAnswer {
  if (fault === 'error_before_work') return { status: 500, body: JSON.stringify(apiError), requestId };
  world.request = { id: requestId, idempotency_key: key };
  try {
    const done = { status: 200, body: JSON.stringify(work(world)), requestId };
    return fault === 'error_after_work' ? { ...done, status: 500, body: JSON.stringify(apiError) } : done;
  } catch (error) {
    const refusal = refusalOf(error);
    if (fault === 'error_after_work') return { status: 500, body: JSON.stringify(apiError), requestId };
    return { status: refusal.status, body: JSON.stringify(errorBody(refusal)), requestId };
  } finally {
    world.request = null;
  }
}

/** Answers a repeat. A fault may spoil the answer again, but changes nothing. */
async function replay(
  { faults }: Desk,
  kept: KeptAnswer,
  { fault, requestId, echo }: Work & { readonly echo: Readonly<Record<string, string>> },
): Promise<DoubleAnswer> {
  if (fault === 'hang') await faults.released();
  if (fault === 'error_before_work' || fault === 'error_after_work') return reply(requestId, 500, apiError);
  const headers = headersOf(requestId, {
    ...{ ...echo, 'idempotent-replayed': 'true', 'original-request': kept.requestId },
    ...retryOf(kept.status),
  });
  return finish(kept, fault, headers);
}

const SPOILS: readonly string[] = ['truncated', 'unknown_word', 'other_currency', 'other_amount'];

/** Sends an answer on its way, on which a fault may lose or spoil it. */
function finish(
  { status, body }: KeptAnswer,
  fault: AccountFault | null,
  headers: Readonly<Record<string, string>>,
): DoubleAnswer {
  if (fault === 'lose_answer') return null;
  return { status, headers, body: fault && SPOILS.includes(fault) ? spoil(fault, body) : body };
}

const retryOf = (status: number): Readonly<Record<string, string>> =>
  status === 409 || status === 429 ? { 'stripe-should-retry': 'true' } : { 'stripe-should-retry': 'false' };

const headersOf = (requestId: string, more: Readonly<Record<string, string>>): Record<string, string> => ({
  ...{ 'content-type': 'application/json', 'request-id': requestId, 'stripe-version': API_VERSION },
  ...more,
});

const reply = (
  requestId: string,
  status: number,
  body: object,
  more: Readonly<Record<string, string>> = {},
): DoubleAnswer => ({ status, headers: headersOf(requestId, more), body: JSON.stringify(body) });

/** Stripe names the reason of a limit, and usually no time to wait. */
const tooMany = (requestId: string, hasHint: boolean): DoubleAnswer =>
  reply(
    requestId,
    429,
    {
      error: {
        ...{ message: 'Request rate limit exceeded.', type: 'invalid_request_error', code: 'rate_limit' },
      },
    },
    {
      ...{ 'stripe-should-retry': 'true', 'stripe-rate-limited-reason': 'global-rate' },
      ...(hasHint ? { 'retry-after': '2' } : {}),
    },
  );

const lockTimeout = {
  error: {
    message:
      'This object cannot be accessed right now because another API request is currently accessing it.',
    ...{ type: 'invalid_request_error', code: 'lock_timeout' },
  },
};

const invalidKey = (isExpired: boolean): object => ({
  error: {
    message: isExpired
      ? 'Expired API Key provided: sk_test_****.'
      : 'Invalid API Key provided: sk_test_****.',
    type: 'invalid_request_error',
    ...(isExpired ? { code: 'api_key_expired' } : {}),
  },
});

const lacksPermission = {
  error: {
    message: 'The provided key does not have the required permissions for this endpoint.',
    type: 'invalid_request_error',
  },
};

const apiError = {
  error: { message: 'An unknown error occurred.', type: 'api_error' },
};

/** Shows the page on which a buyer decides. With a decision, sends the buyer back. */
function showPage(world: StripeWorld, { path }: DoubleRequest): DoubleAnswer {
  const url = new URL(path, world.pages);
  const id = url.pathname.split('/').at(-1) ?? '';
  const decision = url.searchParams.get('decision');
  if (decision !== 'approve' && decision !== 'refuse') {
    const link = (to: BuyerDecision): string => `<a href="?decision=${to}">${to}</a>`;
    const body = `<html><body>${link('approve')} ${link('refuse')}</body></html>`;
    return { status: 200, headers: { 'content-type': 'text/html' }, body };
  }
  const location = decide(world, id, decision);
  if (location === null) return { status: 200, headers: { 'content-type': 'text/html' }, body: 'Done.' };
  return { status: 302, headers: { location }, body: '' };
}

function decide(world: StripeWorld, id: string, decision: BuyerDecision): string | null {
  const setup = world.setups.get(id);
  return setup
    ? decideSetup(world, setup, decision)
    : decidePayment(world, known(world.payments, id), decision);
}

/** Signs an event as Stripe does. HMAC-SHA256 covers the time and the body, and its key is the text of the secret. */
function sign(event: { readonly id: string; readonly type: string }, secret: string, now: Date): DoubleEvent {
  const body = JSON.stringify(event);
  const time = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` };
  return { id: event.id, type: event.type, headers, body };
}

function known<Value>(objects: ReadonlyMap<string, Value>, id: string): Value {
  const value = objects.get(id);
  if (value === undefined) throw new Error(`The double has no object ${id}.`);
  return value;
}

const createHands = (world: StripeWorld): StripeHands => ({
  decide: (id, decision) => decide(world, id, decision),
  expire: (id) => expire(world, known(world.payments, id)),
  failDebit: (id, code) => failDebit(world, known(world.payments, id), code),
  returnDebit: (id, reason = 'debit_not_authorized') => returnDebit(world, known(world.payments, id), reason),
  completeRefund: (id) => completeRefund(world, known(world.refunds, id)),
  failRefund: (id, reason = 'expired_or_canceled_card') =>
    failRefund(world, known(world.refunds, id), reason),
  dispute: (id, facts = {}) => {
    const charge = chargeOf(world, known(world.payments, id));
    if (!charge) throw new Error(`The payment ${id} has no charge to dispute.`);
    return openDispute(world, charge, { reason: 'fraudulent', isInquiry: false, isFinal: false, ...facts })
      .id;
  },
  escalate: (id) => escalate(world, known(world.disputes, id)),
  decideDispute: (id, decision) => decideDispute(world, known(world.disputes, id), decision),
  replaceCard: (id, card) => replaceCard(world, id, card),
  renameBuyer: (id, name) => renameBuyer(world, id, name),
  detach: (id) => detachMethod(world, id),
  payOut: (currency, reconciliation = 'completed') => {
    const payout = payOut(world, currency);
    if (payout && reconciliation === 'completed') reconcilePayout(world, payout);
    else if (payout) payout.reconciliation_status = reconciliation;
    return payout?.id ?? null;
  },
  reconcilePayout: (id) => reconcilePayout(world, known(world.payouts, id)),
  failPayout: (id) => failPayout(world, known(world.payouts, id)),
});
