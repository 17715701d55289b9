import { createHmac, randomUUID } from 'node:crypto';
import type { AccountFault, Faults } from '../double-faults.ts';
import type { DoubleAnswer, DoubleEvent, DoubleRequest, DoubleResponse } from '../double-server.ts';
import { findCall, onItsWay, openAccount, refusedEarly, showPage, type Account } from '../kit/account.ts';
import { createKeyBook } from '../kit/keys.ts';
import { createHands, decideAtPage } from './hands.ts';
import { errorBody, refusalOf, refuse } from './refusal.ts';
import { CALLS, type Call, type Shown } from './routes.ts';
import { spoil } from './spoil.ts';
import { createWorld, HOUR_MS, type MollieWorld, type Owed, type Payment } from './world.ts';

export type MollieDoubleSettings = {
  readonly now?: () => Date;
  /** Returns a new text for an id, such as a counter. */
  readonly newId?: () => string;
  readonly apiKey?: string;
};

export const API_KEY = 'test_keyOfTheDoubleOfMollie00000000';

/** A stateful double of Mollie's API, written from the facts about it. */
export type MollieDouble = Account & {
  readonly apiKey: string;
  /** The payments, oldest first. */
  payments(): readonly Payment[];
  /** The acts of buyers, of banks and of people at Mollie. */
  readonly hands: ReturnType<typeof createHands>;
  /** The event of an organisation's webhook about a payment, signed with a secret. */
  signed(payment: string, secret: string): DoubleEvent;
};

/** Every call that works. A fault that names no call is meant for the work. */
const WORK = /^(POST|DELETE) \/v2\/payments/;

type Kept = { readonly scope: string; readonly body: string };

type Desk = {
  readonly apiKey: string;
  readonly world: MollieWorld;
  readonly keys: ReturnType<typeof createKeyBook<Kept, Shown>>;
  readonly faults: Faults<AccountFault>;
};

export function createMollieDouble({
  now = () => new Date(),
  newId = () => randomUUID().replaceAll('-', '').slice(0, 10),
  apiKey = API_KEY,
}: MollieDoubleSettings = {}): MollieDouble {
  const world = createWorld(now, newId);
  const keys = createKeyBook<Kept, Shown>(now);
  const account = openAccount<Owed>(world, {
    usual: WORK,
    serveOpenly: (request) => serveOpenly(world, request),
    answer: (request, fault, faults) => answer({ apiKey, world, keys, faults }, request, fault),
    sign: classic,
  });
  return {
    ...{ ...account, apiKey, hands: createHands(world) },
    payments: () => [...world.payments.values()],
    signed: (payment, secret) => {
      const event = {
        ...{ resource: 'event', id: world.newId('event'), type: 'payment.paid', entityId: payment },
        createdAt: now().toISOString(),
      };
      const body = JSON.stringify(event);
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const headers = { 'content-type': 'application/json', 'x-mollie-signature': signature };
      return { id: event.id, type: event.type, headers, body };
    },
  };
}

/** The webhook of a payment: a form with the id alone, without a signature. */
const classic = ({ id }: Owed): DoubleEvent => ({
  ...{ id, type: 'payment', body: `id=${id}` },
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mollie HTTP client/1.0' },
});

function serveOpenly(world: MollieWorld, { method, path }: DoubleRequest): DoubleAnswer {
  const url = new URL(path, world.pages);
  if (method !== 'GET' || url.pathname !== '/checkout') return null;
  const payment = world.payments.get(url.searchParams.get('payment') ?? '');
  if (!payment) return { status: 404, headers: { 'content-type': 'text/html' }, body: 'No such payment.' };
  return showPage(url, ['approve', 'refuse', 'nothing'], (decision) =>
    decideAtPage(world, payment, decision),
  );
}

/** Answers with the faults that happen before Mollie reads a request, or lets Mollie work. */
async function answer(desk: Desk, request: DoubleRequest, fault: AccountFault | null): Promise<DoubleAnswer> {
  const refused = (status: number) => () => reply(status, errorBody({ status, detail: 'A fault.' }));
  const early = refusedEarly(fault, {
    ...{ rate_limited: refused(429), lock_timeout: refused(409), unauthorized: refused(401) },
    ...{ expired_token: refused(401), forbidden: refused(403), error_before_work: refused(500) },
  });
  return early === undefined ? perform(desk, request, fault) : early;
}

/** Checks a request, and works once for each key. Mollie ignores the keys of other verbs than POST. */
async function perform(
  { apiKey, world, keys, faults }: Desk,
  request: DoubleRequest,
  fault: AccountFault | null,
): Promise<DoubleAnswer> {
  const key = request.method === 'POST' ? (request.headers['idempotency-key'] ?? null) : null;
  let begun: string | null = null;
  try {
    if (request.headers['authorization'] !== `Bearer ${apiKey}`) refuse(401, 'The API key is not valid.');
    const { call, id, query, body } = read(request);
    const earlier = key === null ? null : begin(keys, request, key);
    if (key !== null && earlier === null) begun = key;
    const shown = earlier ?? call({ world, id, query, body, key });
    if (fault === 'hang') await faults.released();
    if (begun !== null) keys.keep(begun, shown);
    const replayed = earlier === null ? {} : { 'idempotent-replayed': 'true' };
    return finish(reply(shown.status, shown.body, replayed), fault);
  } catch (error) {
    const refusal = refusalOf(error);
    const body = errorBody(refusal);
    // The documentation does not say whether Mollie keeps a refusal.
    if (begun !== null && world.keepsRefusals) keys.keep(begun, { status: refusal.status, body });
    else if (begun !== null) keys.forget(begun);
    return finish(reply(refusal.status, body), fault);
  }
}

const KEY_LENGTH_MAX = 100;

/** Begins a request, or returns the answer of an earlier one. Refuses a key with other parameters, and one in use. */
function begin(keys: Desk['keys'], { path, body }: DoubleRequest, key: string): Shown | null {
  if (key === '' || key.length > KEY_LENGTH_MAX) refuse(400, 'The idempotency key is too long.');
  const earlier = keys.begin(key, { scope: path, body }, HOUR_MS);
  if (!earlier) return null;
  const isSame = earlier.request.scope === path && earlier.request.body === body;
  if (!isSame) refuse(400, 'The idempotency key was used with other parameters.');
  return earlier.answer ?? refuse(409, 'A request with the idempotency key is under way.');
}

function read({
  method,
  path,
  body,
}: DoubleRequest): Omit<Parameters<Call>[0], 'world' | 'key'> & { call: Call } {
  const [pathname = '', search = ''] = path.split('?');
  const mandate = /^\/v2\/customers\/(cst_\w+\/mandates\/mdt_\w+)$/.exec(pathname)?.[1];
  const found = mandate
    ? { name: 'DELETE /v2/customers/{id}', id: mandate }
    : findCall(CALLS, method, pathname);
  const call = found && CALLS[found.name];
  if (!found || !call || (mandate && method !== 'DELETE')) return refuse(404, 'No such call exists.');
  return { call, id: found.id, query: new URLSearchParams(search), body: bodyOf(body) };
}

function bodyOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return refuse(400, 'The body is no JSON.');
  }
}

/** Sends an answer on its way, on which a fault may lose or spoil it. */
const finish = (response: DoubleResponse, fault: AccountFault | null): DoubleAnswer =>
  fault === 'error_after_work'
    ? reply(500, errorBody({ status: 500, detail: 'A fault.' }))
    : onItsWay(response, fault, spoil);

const reply = (
  status: number,
  body: object | null,
  headers: Readonly<Record<string, string>> = {},
): DoubleResponse => ({
  status,
  headers: { ...(body !== null && { 'content-type': 'application/hal+json' }), ...headers },
  body: body === null ? '' : JSON.stringify(body),
});
