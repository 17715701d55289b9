import { randomUUID } from 'node:crypto';
import type { AccountFault, Faults, FaultTarget } from '../double-faults.ts';
import type { DoubleAnswer, DoubleRequest, DoubleResponse } from '../double-server.ts';
import { passTime } from '../kit/agenda.ts';
import { findCall, onItsWay, openAccount, refusedEarly, showPage, type Account } from '../kit/account.ts';
import { createAccess, type Access } from './access.ts';
import { booksOf, type PayPalBooks } from './books.ts';
import { readBody } from './bodies.ts';
import { elsewhere } from './elsewhere.ts';
import { createHands } from './hands.ts';
import { createKeys, type Done, type Keys, type Shown } from './keys.ts';
import { askAgain, decideOrder, findOrder } from './orders.ts';
import { errorBody, refusalOf, refuse, refuseIssue, type Refusal } from './refusal.ts';
import { CALLS } from './routes.ts';
import { checkBody } from './schemas.ts';
import { createSigner, type Signer } from './signatures.ts';
import { spoil } from './spoil.ts';
import { createWorld, type PayPalWorld } from './world.ts';

export type PayPalDoubleSettings = {
  readonly now?: () => Date;
  /** Returns a new text for an id, such as a counter. Only its letters and digits count. */
  readonly newId?: () => string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly merchantId?: string;
  /** The id of the registration of the webhook, which is part of the signed text. */
  readonly webhookId?: string;
  /** The start of the addresses of the API in links. */
  readonly api?: string;
  /** The start of the address of the certificate. */
  readonly certBase?: string;
  /** The time from a payment to the name of its stored method. */
  readonly vaultLagMs?: number;
  /** The time until the transaction search shows a movement. */
  readonly reportLagMs?: number;
  /** False if the account takes an invoice id more than once. */
  readonly blocksDuplicateInvoices?: boolean;
};

/** A stateful double of PayPal's API. Written from PayPal's descriptions and the types of its SDK. */
export type PayPalDouble = Account & {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantId: string;
  readonly webhookId: string;
  /** The signer: the address of its certificate, the chain that it serves, and the authority to trust. */
  readonly certificate: Pick<Signer, 'certUrl' | 'chain' | 'root' | 'sign'>;
  /** The number of access tokens that were issued. */
  readonly tokensIssued: () => number;
  books(): PayPalBooks;
  /** Orders the refusal of the next POST, or of a call, for a reason of its business, such as `TRANSACTION_REFUSED`. */
  refuseNext(issue: string, target?: FaultTarget, refusal?: Partial<Refusal>): void;
  /** The events that a test decides. Each names an object by its id. */
  readonly hands: ReturnType<typeof createHands>;
  /** The acts of others with the same account. */
  readonly elsewhere: ReturnType<typeof elsewhere>;
};

/** Every call but the request for a token. A fault that names no call is meant for the work. */
const WORK = /^(?!POST \/v1\/oauth2\/)/;

type OrderedRefusal = { readonly target: FaultTarget; readonly refusal: Refusal };

type Desk = {
  readonly world: PayPalWorld;
  readonly access: Access;
  readonly keys: Keys;
  readonly faults: Faults<AccountFault>;
  readonly signer: Signer;
  readonly refusals: OrderedRefusal[];
};

export function createPayPalDouble({
  now = () => new Date(),
  newId = () => randomUUID().replaceAll('-', ''),
  ...given
}: PayPalDoubleSettings = {}): PayPalDouble {
  const names = {
    ...{ clientId: 'client-id-of-the-double', clientSecret: 'client-secret-of-the-double' },
    ...{ merchantId: 'MERCHANT00001', webhookId: 'WEBHOOK0000000001' },
    ...given,
  };
  const settings = {
    ...{ api: 'https://api-m.sandbox.paypal.com', vaultLagMs: 0, reportLagMs: 3 * 3_600_000 },
    ...{ blocksDuplicateInvoices: true, ...given, merchantId: names.merchantId },
  };
  const world = createWorld({ now, newId, settings });
  const signer = createSigner(world, { certBase: 'https://api.sandbox.paypal.com', ...names });
  const access = createAccess({ now, newId: world.newId, ...names });
  const own = { world, access, keys: createKeys(now), signer, refusals: [] as OrderedRefusal[] };
  const account = openAccount(world, {
    usual: WORK,
    serveOpenly: (request) => serveOpenly(own, request),
    answer: (request, fault, faults) => answer({ ...own, faults }, request, fault),
    sign: (event) => signer.sign(event),
  });
  const { clientId, clientSecret, merchantId, webhookId } = names;
  return {
    ...{ ...account, clientId, clientSecret, merchantId, webhookId, certificate: signer },
    ...{ tokensIssued: access.issued, hands: createHands(world), elsewhere: elsewhere(world) },
    books: () => {
      passTime(world);
      return booksOf(world);
    },
    refuseNext: (issue, target = '', refusal = {}) =>
      void own.refusals.push({
        target,
        refusal: { status: 422, name: 'UNPROCESSABLE_ENTITY', issue, ...refusal },
      }),
  };
}

/** Serves the certificate and the pages for buyers, which need no access. */
function serveOpenly(
  { world, signer }: Pick<Desk, 'world' | 'signer'>,
  { method, path }: DoubleRequest,
): DoubleAnswer {
  const url = new URL(path, world.pages);
  if (method !== 'GET') return null;
  if (url.pathname === new URL(signer.certUrl).pathname)
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: signer.chain() };
  if (url.pathname !== '/checkoutnow') return null;
  const order = world.orders.get(url.searchParams.get('token') ?? '');
  if (!order) return { status: 404, headers: { 'content-type': 'text/html' }, body: 'No such order.' };
  return showPage(url, ['approve', 'cancel'], (decision) => decideOrder(world, order, decision));
}

/** Answers with the faults that happen before PayPal reads a request, or lets PayPal work. */
async function answer(desk: Desk, request: DoubleRequest, fault: AccountFault | null): Promise<DoubleAnswer> {
  const refused = (status: number, name: string, issue?: string) => () =>
    reply(desk, status, errorBody({ status, name, ...(issue !== undefined && { issue }) }, debugId(desk)));
  const early = refusedEarly(fault, {
    rate_limited: refused(429, 'RATE_LIMIT_REACHED'),
    lock_timeout: refused(409, 'RESOURCE_CONFLICT', 'PREVIOUS_REQUEST_IN_PROGRESS'),
    unauthorized: refused(401, 'AUTHENTICATION_FAILURE'),
    forbidden: refused(403, 'NOT_AUTHORIZED', 'PERMISSION_DENIED'),
    error_before_work: refused(500, 'INTERNAL_SERVER_ERROR'),
  });
  if (early !== undefined) return early;
  if (fault === 'expired_token') desk.access.revoke();
  return perform(desk, request, fault);
}

/** Checks a request, and works once for each request id. */
async function perform(
  desk: Desk,
  request: DoubleRequest,
  fault: AccountFault | null,
): Promise<DoubleAnswer> {
  const { access, keys, faults } = desk;
  if (request.method === 'POST' && request.path === '/v1/oauth2/token') {
    const { status, body } = access.issue(request);
    return finish(desk, { status, body }, fault);
  }
  const refused = access.refuse(request);
  if (refused) return reply(desk, 401, refused);
  const scope = `${request.method} ${request.path.split('?')[0] ?? ''}`;
  const key = request.method === 'POST' ? (request.headers['paypal-request-id'] ?? null) : null;
  const isWhole = request.headers['prefer'] === 'return=representation';
  let begun = false;
  try {
    const work = check(desk, request);
    const earlier = key === null ? null : keys.begin(scope, key);
    begun = key !== null && earlier === null;
    const done = earlier ?? work();
    // A request under way is seen by the next one, because its work is kept only when it answers.
    if (fault === 'hang') await faults.released();
    if (key !== null && begun) keys.keep(scope, key, done);
    return finish(desk, done.show({ isRepeat: earlier !== null, isWhole }), fault);
  } catch (error) {
    if (key !== null && begun) keys.forget(scope, key);
    const refusal = refusalOf(error);
    return finish(desk, { status: refusal.status, body: errorBody(refusal, debugId(desk)) }, fault);
  }
}

/** Checks everything that PayPal checks before the work. Returns the work. */
function check(desk: Desk, request: DoubleRequest): () => Done {
  const { world, signer } = desk;
  const { method, path, headers } = request;
  const [pathname = '', search = ''] = path.split('?');
  if (`${method} ${pathname}` === VERIFY) {
    const body = readBody(VERIFY, request);
    checkBody(VERIFY, body);
    const verification_status = signer.check(body) ? 'SUCCESS' : 'FAILURE';
    return () => ({ show: () => ({ status: 200, body: { verification_status } }) });
  }
  const call = findCall(CALLS, method, pathname);
  if (!call) return refuse({ status: 404, name: 'RESOURCE_NOT_FOUND', issue: 'INVALID_RESOURCE_ID' });
  if (!/^(return=(minimal|representation))?$/.test(headers['prefer'] ?? ''))
    refuse({ status: 400, name: 'INVALID_REQUEST', issue: 'INVALID_PARAMETER_VALUE', field: 'Prefer' });
  const body = method === 'POST' ? readBody(call.name, request) : {};
  const requestId = headers['paypal-request-id'] ?? null;
  const query = new URLSearchParams(search);
  return () => {
    refuseAsOrdered(desk, request, call.id);
    const work = CALLS[call.name];
    if (!work) throw new Error(`The double has no call ${call.name}.`);
    return work({ world, id: call.id, body, query, requestId });
  };
}

const VERIFY = 'POST /v1/notifications/verify-webhook-signature';

/** Ends a request with the refusal that a test ordered for it. */
function refuseAsOrdered({ world, refusals }: Desk, { method, path }: DoubleRequest, id: string): void {
  const call = `${method} ${path}`;
  const index = refusals.findIndex(({ target }) => {
    // Without a target, a read is no subject of a business reason.
    if (target === '') return method === 'POST';
    return typeof target === 'string' ? call.startsWith(target) : target.test(call);
  });
  const refusal = index < 0 ? undefined : refusals.splice(index, 1)[0]?.refusal;
  if (!refusal) return;
  const isOrder = /^\/v2\/checkout\/orders\/[^/]+\/(authorize|capture)/.test(path);
  if (refusal.issue === 'INSTRUMENT_DECLINED' && isOrder) askAgain(world, findOrder(world, id));
  if (refusal.status === 422) refuseIssue(refusal.issue ?? '', refusal.field, refusal.links);
  refuse(refusal);
}

/** Sends an answer on its way, on which a fault may lose or spoil it. */
function finish(desk: Desk, { status, body }: Shown, fault: AccountFault | null): DoubleAnswer {
  if (fault !== 'error_after_work') return onItsWay(reply(desk, status, body), fault, spoil);
  const refusal = { status: 500, name: 'INTERNAL_SERVER_ERROR' };
  return reply(desk, 500, errorBody(refusal, debugId(desk)));
}

const debugId = ({ world }: Desk): string => world.newId().toLowerCase().slice(-13);

const reply = (desk: Desk, status: number, body: object | null): DoubleResponse => ({
  status,
  headers: {
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    'paypal-debug-id': debugId(desk),
  },
  body: body === null ? '' : JSON.stringify(body),
});
