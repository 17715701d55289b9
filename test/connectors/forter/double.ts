import { createHash } from 'node:crypto';
import {
  listenOn,
  openLine,
  type DoubleCore,
  type DoubleLine,
  type DoubleRequest,
  type DoubleResponse,
  type DoubleWebhook,
} from '../double-server.ts';
import { claimBody, orderBody, statusBody, type OrderBody, type Report } from './schemas.ts';

export const SITE_ID = 'site-of-the-test';
export const API_KEY = 'the secret key of the test site';
const VERSIONS: ReadonlySet<string | undefined> = new Set(['2.1', '10.2']);

/** A double of Forter: strict about headers and bodies, with its orders. */
export type ForterDouble = Pick<DoubleLine, 'calls' | 'failNextOf' | 'behave' | 'release'> & {
  readonly url: string;
  /** The requests of an order, in order. */
  sent(orderId: string): readonly OrderBody[];
  /** The accepted reports of an order, in order. */
  reports(orderId: string): readonly Report[];
  /** A signed callback. `php`: over the body as PHP writes it again. */
  callback(body: object, form?: 'raw' | 'php'): DoubleWebhook;
  close(): Promise<void>;
};

/** The local part of the buyer's address chooses the action, as at Forter's own test sites. Others are approved. */
const ACTIONS: Readonly<Record<string, string>> = {
  ...{ approve: 'approve', decline: 'decline', pending: 'pending', notreviewed: 'not reviewed' },
  ...{ failed: 'failed', challenge: 'decline' },
};

export async function startForter(): Promise<ForterDouble> {
  const orders = new Map<string, OrderBody[]>();
  const reports: Report[] = [];
  const core: DoubleCore = {
    handle: (request) =>
      refusalOf(request) ?? takeReport(request, { orders, reports }) ?? judge(request, orders),
    hold: () => () => undefined,
    words: WORDS,
  };
  const line = openLine(core);
  const { url, close } = await listenOn(line);
  return {
    calls: line.calls,
    failNextOf: (target, ...faults) => line.failNextOf(target, ...faults),
    behave: () => line.behave(),
    release: () => line.release(),
    ...{ url, close },
    sent: (orderId) => orders.get(orderId) ?? [],
    reports: (orderId) => reports.filter((report) => report.orderId === orderId),
    callback: (body, form = 'raw') => signed(JSON.stringify(body), form),
  };
}

function refusalOf({ headers }: DoubleRequest): DoubleResponse | null {
  const expected = `Basic ${Buffer.from(`${API_KEY}:`).toString('base64')}`;
  if (headers['authorization'] !== expected || headers['x-forter-siteid'] !== SITE_ID)
    return failed(401, 'Unauthorized');
  if (!VERSIONS.has(headers['api-version'])) return failed(400, 'Unknown api-version');
  return headers['content-type'] === 'application/json' ? null : failed(400, 'Not JSON');
}

type Books = { readonly orders: ReadonlyMap<string, OrderBody[]>; readonly reports: Report[] };

/** Takes a report of an order that is known here. Null for another request. */
function takeReport({ path, body }: DoubleRequest, { orders, reports }: Books): DoubleResponse | null {
  const [, orderId] = /^\/v2\/status\/([\w-]+)$/.exec(path) ?? [];
  if (orderId === undefined && path !== '/v2/claims') return null;
  const parsed = (orderId === undefined ? claimBody : statusBody).safeParse(JSON.parse(body));
  if (!parsed.success) return failed(400, parsed.error.message);
  if (!orders.has(parsed.data.orderId)) return failed(404, 'Unknown order');
  if (orderId !== undefined && parsed.data.orderId !== orderId)
    return failed(400, 'The path has another order.');
  reports.push(parsed.data);
  return answered({ status: 'success' });
}

function judge(
  { method, path, body, headers }: DoubleRequest,
  orders: Map<string, OrderBody[]>,
): DoubleResponse {
  const [, orderId] = /^\/v2\/orders\/([\w-]+)$/.exec(path) ?? [];
  if (method !== 'POST' || orderId === undefined) return failed(404, 'Not found');
  const parsed = orderBody.safeParse(JSON.parse(body));
  if (!parsed.success) return failed(400, parsed.error.message);
  if (parsed.data.orderId !== orderId) return failed(400, 'The path has another order.');
  orders.set(orderId, [...(orders.get(orderId) ?? []), parsed.data]);
  const [name = ''] = parsed.data.accountOwner?.email?.split('@') ?? [];
  const action = ACTIONS[name] ?? 'approve';
  if (action === 'failed') return answered({ status: 'failed', message: 'The event could not be read' });
  return answered({
    ...{ status: 'success', action, transaction: orderId, reasonCode: `code of ${action}` },
    message: ` | Link in portal: https://portal.forter.com/dashboard/${orderId}`,
    ...(name === 'challenge' && headers['api-version'] === '10.2' && { recommendations: CHALLENGE }),
  });
}

const CHALLENGE = ['VERIFICATION_REQUIRED_3DS_CHALLENGE'];

const answered = (body: object, status = 200): DoubleResponse => ({
  ...{ status, headers: { 'content-type': 'application/json' } },
  body: JSON.stringify(body),
});

const failed = (status: number, message: string): DoubleResponse =>
  answered({ status: 'failed', message }, status);

/** Changes one word of an answer. */
const reworded = (response: DoubleResponse): DoubleResponse => ({
  ...response,
  body: response.body.replace(/"action":"[^"]*"/, '"action":"ponder"'),
});

const WORDS: DoubleCore['words'] = {
  serverError: () => failed(500, 'Internal error'),
  rateLimited: () => failed(429, 'Too many requests'),
  unauthorized: () => failed(401, 'Unauthorized'),
  forbidden: () => failed(403, 'Forbidden'),
  ...{ unknownWord: reworded, otherAmount: (same) => same, otherCurrency: (same) => same },
};

function signed(body: string, form: 'raw' | 'php'): DoubleWebhook {
  const token = 'a token of the callback';
  const hashed = `${API_KEY}${token}${SITE_ID}${form === 'php' ? asPhp(body) : body}`;
  return {
    headers: {
      'content-type': 'application/json',
      'x-forter-siteid': SITE_ID,
      'x-forter-token': token,
      'x-forter-signature': createHash('sha256').update(hashed).digest('hex'),
    },
    body,
  };
}

/** Escapes slashes and all that is not ASCII, as PHP's `json_encode` does. */
const asPhp = (json: string): string =>
  Array.from({ length: json.length }, (_, at) => {
    const unit = json.charCodeAt(at);
    if (unit > 0x7f) return `\\u${unit.toString(16).padStart(4, '0')}`;
    return json[at] === '/' ? '\\/' : json[at];
  }).join('');
