import { createHmac, randomUUID } from 'node:crypto';
import type { AccountFault, Faults } from '../double-faults.ts';
import type { DoubleAnswer, DoubleEvent, DoubleRequest, DoubleResponse } from '../double-server.ts';
import { passTime } from '../kit/agenda.ts';
import { findCall, onItsWay, openAccount, refusedEarly, showPage, type Account } from '../kit/account.ts';
import { booksOf, type StripeBooks } from './books.ts';
import { elsewhere } from './elsewhere.ts';
import { uploadFile } from './files.ts';
import { readForm, type Values } from './form.ts';
import { checkTexts } from './limits.ts';
import type { Gate } from './gated.ts';
import { createHands, decide } from './hands.ts';
import { createKeys, type KeptAnswer, type Keys } from './keys.ts';
import { expanded } from './reads.ts';
import { errorBody, refusalOf, refuse, refuseParameter } from './refusal.ts';
import { CALLS } from './routes.ts';
import { spoil } from './spoil.ts';
import { API_VERSION, createWorld, type StripeWorld } from './world.ts';

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
export type StripeDouble = Account & {
  readonly secretKey: string;
  readonly webhookSecret: string;
  books(): StripeBooks;
  /** Signs an event that a test made. */
  sign(event: { readonly id: string; readonly type: string }): DoubleEvent;
  /** The events that a test decides. Each names an object by its id. */
  readonly hands: ReturnType<typeof createHands>;
  /** The acts of others with the same account. */
  readonly elsewhere: ReturnType<typeof elsewhere>;
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
  const keys = createKeys(now);
  const signed = (event: { readonly id: string; readonly type: string }): DoubleEvent =>
    sign(event, webhookSecret, now());
  const account = openAccount(world, {
    serveOpenly: ({ path }) => {
      if (!path.startsWith('/redirect/')) return null;
      const url = new URL(path, world.pages);
      const id = url.pathname.split('/').at(-1) ?? '';
      return showPage(url, ['approve', 'refuse'], (decision) => decide(world, id, decision));
    },
    answer: (request, fault, faults) => answer({ world, keys, faults, secretKey }, request, fault),
    sign: signed,
  });
  return {
    ...{ ...account, secretKey, webhookSecret, sign: signed },
    books: () => {
      passTime(world);
      return booksOf(world);
    },
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
  const refused = (status: number, body: object, more?: Readonly<Record<string, string>>) => () =>
    reply(requestId, status, body, more);
  const early = refusedEarly(fault, {
    rate_limited: refused(429, tooMany, { ...RETRY, 'stripe-rate-limited-reason': 'global-rate' }),
    lock_timeout: refused(429, lockTimeout, RETRY),
    unauthorized: refused(401, invalidKey(false)),
    expired_token: refused(401, invalidKey(true)),
    forbidden: refused(403, lacksPermission),
  });
  return early === undefined ? perform(desk, request, { fault, requestId }) : early;
}

const RETRY = { 'stripe-should-retry': 'true' };

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
    const headers = headersOf(requestId, { ...echo, ...retryOf(done.status) });
    return onItsWay({ status: done.status, headers, body: done.body }, fault, spoil);
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
  const call = findCall(CALLS, method, pathname);
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
  return onItsWay({ status: kept.status, headers, body: kept.body }, fault, spoil);
}

const retryOf = (status: number): Readonly<Record<string, string>> =>
  status === 409 || status === 429 ? RETRY : { 'stripe-should-retry': 'false' };

const headersOf = (requestId: string, more: Readonly<Record<string, string>>): Record<string, string> => ({
  ...{ 'content-type': 'application/json', 'request-id': requestId, 'stripe-version': API_VERSION },
  ...more,
});

const reply = (
  requestId: string,
  status: number,
  body: object,
  more: Readonly<Record<string, string>> = {},
): DoubleResponse => ({ status, headers: headersOf(requestId, more), body: JSON.stringify(body) });

/** Stripe names the reason of a limit, and usually no time to wait. */
const tooMany = {
  error: { message: 'Request rate limit exceeded.', type: 'invalid_request_error', code: 'rate_limit' },
};

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

/** Signs an event as Stripe does. HMAC-SHA256 covers the time and the body, and its key is the text of the secret. */
function sign(event: { readonly id: string; readonly type: string }, secret: string, now: Date): DoubleEvent {
  const body = JSON.stringify(event);
  const time = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` };
  return { id: event.id, type: event.type, headers, body };
}
