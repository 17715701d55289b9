import { createHmac } from 'node:crypto';
import type { AccountFault, Faults } from '../double-faults.ts';
import type { DoubleAnswer, DoubleEvent, DoubleRequest, DoubleResponse } from '../double-server.ts';
import { findCall, onItsWay, openAccount, refusedEarly, showPage, type Account } from '../kit/account.ts';
import { passTime } from '../kit/agenda.ts';
import { createKeyBook } from '../kit/keys.ts';
import { booksOf, type BookedPayment } from './books.ts';
import { decideOpen } from './changes.ts';
import { answerFaults, requestFaults } from './description.ts';
import { elsewhere } from './elsewhere.ts';
import { createHands } from './hands.ts';
import { decideBuyer, findPayment } from './payments.ts';
import { errorBody, refusalOf, refuse } from './refusal.ts';
import { CALLS, refuseUnknown, type Shown } from './routes.ts';
import { checkBody } from './shapes.ts';
import { spoil } from './spoil.ts';
import { createWorld, MINUTE_MS, type CheckoutEvent, type Settings, type World } from './world.ts';

export type CheckoutDoubleSettings = Partial<Settings> & {
  readonly now?: () => Date;
  /** Returns a new text for an id, such as a counter. Only its letters and digits count. */
  readonly newId?: () => string;
};

/**
 * A stateful double of the API of Checkout.com. Written from its API reference and its documentation. Changes of a payment are only
 * received, and `webhooks` decides them.
 */
export type CheckoutDouble = Account &
  Pick<Settings, 'secretKey' | 'publicKey' | 'signatureKey' | 'channel' | 'searchLagMs'> & {
    books(): readonly BookedPayment[];
    /** The events that a test decides. Each names an object by its id. */
    readonly hands: ReturnType<typeof createHands>;
    /** The acts of others with the same account. */
    readonly elsewhere: ReturnType<typeof elsewhere>;
    /** Signs any event, also one that this double would not send. */
    readonly sign: (event: CheckoutEvent) => DoubleEvent;
  };

const DEFAULTS: Settings = {
  ...{ secretKey: 'sk_sbox_key_of_the_double', publicKey: 'pk_sbox_key_of_the_double' },
  ...{ signatureKey: 'signature-key-of-the-double', channel: 'pc_channelofthedouble' },
  ...{ otherBody: 'first_answer', eventNames: 'own', listsPending: false, decidesByItself: false },
  ...{ hasSearch: true, searchLagMs: MINUTE_MS, showsBalances: true },
  ...{ tellsApproval: true, showsEvidenceText: true },
};

/** Checkout.com keeps the answer of a success for a day. */
const KEPT_MS = 24 * 60 * MINUTE_MS;

type Kept = { readonly request: string; readonly shown: Shown };

type Desk = {
  readonly world: World;
  readonly keys: ReturnType<typeof createKeyBook<string, Kept>>;
  readonly faults: Faults<AccountFault>;
};

export function createCheckoutDouble({
  now = () => new Date(),
  newId,
  ...given
}: CheckoutDoubleSettings = {}): CheckoutDouble {
  const settings = { ...DEFAULTS, ...given };
  const world = createWorld({ now, newId, settings });
  const keys = createKeyBook<string, Kept>(now);
  const sign = (event: CheckoutEvent) => signed(world, event);
  const account = openAccount(world, {
    serveOpenly: (request) => serveOpenly(world, request),
    answer: (request, fault, faults) => answer({ world, keys, faults }, request, fault),
    sign,
  });
  const webhooks = (): readonly DoubleEvent[] => {
    decideOpen(world);
    return account.webhooks();
  };
  return {
    ...account,
    ...settings,
    webhooks,
    postTo: (url, some) => account.postTo(url, some ?? webhooks()),
    books: () => {
      passTime(world);
      return booksOf(world);
    },
    ...{ hands: createHands(world), elsewhere: elsewhere(world), sign },
  };
}

/** Signs the bytes of an event with HMAC-SHA256, in hexadecimal digits. */
function signed({ settings, now }: World, { id, type, data }: CheckoutEvent): DoubleEvent {
  const self = `https://api.sandbox.checkout.com/workflows/events/${id}`;
  const body = JSON.stringify({
    ...{ id, type, version: '1.0.0', timestamp: now().toISOString(), data },
    _links: { self: { href: self } },
  });
  const signature = createHmac('sha256', settings.signatureKey).update(body).digest('hex');
  return { id, type, headers: { 'content-type': 'application/json', 'cko-signature': signature }, body };
}

/** Serves the page for 3-D Secure, which needs no access. */
function serveOpenly(world: World, { method, path }: DoubleRequest): DoubleAnswer {
  const url = new URL(path, world.pages);
  const [, session] = /^\/interceptor\/(sid_\w+)$/.exec(url.pathname) ?? [];
  if (method !== 'GET' || session === undefined) return null;
  const payment = findPayment(world, session);
  return showPage(url, ['approve', 'refuse'], (decision) => decideBuyer(world, payment, decision));
}

/** Answers with the faults that happen before Checkout.com reads a request, or lets Checkout.com work. */
function answer(desk: Desk, request: DoubleRequest, fault: AccountFault | null): Promise<DoubleAnswer> {
  const empty = (status: number) => () => reply(desk.world, { status, body: null });
  const early = refusedEarly(fault, {
    rate_limited: empty(429),
    lock_timeout: empty(409),
    unauthorized: empty(401),
    expired_token: empty(401),
    forbidden: empty(403),
    error_before_work: empty(500),
  });
  return early === undefined ? perform(desk, request, fault) : Promise.resolve(early);
}

/** Checks a request, and works once for each key. Only the answer of a success is kept. */
async function perform(
  { world, keys, faults }: Desk,
  request: DoubleRequest,
  fault: AccountFault | null,
): Promise<DoubleAnswer> {
  const key = request.headers['cko-idempotency-key'] ?? null;
  const scope = `${request.method} ${request.path}`;
  const name = key === null ? null : `${scope} ${key}`;
  let begun = false;
  if (world.settings.decidesByItself) decideOpen(world);
  try {
    checkAccess(world, request);
    const earlier = name === null ? null : keys.begin(name, request.body, KEPT_MS);
    begun = name !== null && earlier === null;
    if (earlier && !earlier.answer) return reply(world, { status: 409, body: null });
    if (earlier?.answer && earlier.answer.request !== request.body && world.settings.otherBody === 'refused')
      refuse(422, 'idempotency_key_invalid');
    const shown = earlier?.answer?.shown ?? work(world, request, key);
    // A request under way is seen by the next one, because its work is kept only when it answers.
    if (fault === 'hang') await faults.released();
    if (name !== null && fault === 'error_after_work') keys.forget(name);
    else if (name !== null && begun) keys.keep(name, { request: request.body, shown });
    if (fault === 'error_after_work') return reply(world, { status: 500, body: null });
    return onItsWay(reply(world, shown), fault, spoil);
  } catch (error) {
    if (name !== null && begun) keys.forget(name);
    const refusal = refusalOf(error);
    return onItsWay(
      reply(world, { status: refusal.status, body: errorBody(refusal, world.id('req')) }),
      fault,
      spoil,
    );
  }
}

/** The public key exchanges tokens, and the secret key does everything else. */
function checkAccess({ settings }: World, { method, path, headers }: DoubleRequest): void {
  const isExchange = method === 'POST' && path === '/tokens';
  const key = isExchange ? settings.publicKey : settings.secretKey;
  if (headers['authorization'] !== `Bearer ${key}`) refuse(401);
}

/** Checks everything that Checkout.com checks before the work, and does the work. */
function work(world: World, request: DoubleRequest, key: string | null): Shown {
  const { method, path } = request;
  const [pathname = '', search = ''] = path.split('?');
  const query = new URLSearchParams(search);
  const call = findCall(CALLS, method, pathname);
  if (!call) return refuseUnknown();
  const body = readBody(call.name, request);
  const perform = CALLS[call.name];
  if (!perform) throw new Error(`The double has no call ${call.name}.`);
  const shown = perform({ world, id: call.id, body, query, key });
  // The description has no form for an action without a decision.
  const faults = world.settings.listsPending ? [] : answerFaults(call.name, shown.status, shown.body);
  if (faults.length > 0) throw new Error(`The double answers ${call.name} wrongly: ${faults.join(', ')}`);
  return shown;
}

/** Reads the body of a call. Refuses one that its shape does not allow. */
function readBody(call: string, { headers, body }: DoubleRequest): unknown {
  if (headers['content-type']?.startsWith('multipart/form-data')) return body;
  if (body === '') {
    checkBody(call, call.startsWith('GET') ? undefined : {});
    return {};
  }
  if (headers['content-type'] !== 'application/json') refuse(415);
  const parsed: unknown = JSON.parse(body);
  checkBody(call, parsed);
  const faults = requestFaults(call, parsed);
  if (faults.length > 0) throw new Error(`The shapes of ${call} miss faults: ${faults.join(', ')}`);
  return parsed;
}

const reply = (world: World, { status, body }: Shown): DoubleResponse => ({
  status,
  headers: {
    ...(body === null ? {} : { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
    ...{ 'cko-request-id': world.id('req'), 'cko-version': '1.0.0' },
  },
  body: body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body),
});
