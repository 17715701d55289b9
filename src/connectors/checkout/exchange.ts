import {
  countDown,
  noAnswer,
  noReply,
  notSent,
  parseJson,
  REFUSED_BEFORE,
  type CallContext,
  type Credentials,
  type HttpReply,
  type Multipart,
  type ProviderAnswer,
} from '../door.ts';
import { errorAnswer, type CheckoutError } from './answers.ts';

/** Finds the address of Checkout.com for a payment service, without a path. Null for a prefix that begins no host. */
export type CheckoutHosts = (context: Pick<CallContext, 'credentials' | 'environment'>) => string | null;

/** The addresses of Checkout.com. A newer account has a host of its own, which begins with its prefix. */
export const checkoutHosts: CheckoutHosts = ({ credentials, environment }) => {
  const { api_prefix: prefix = '' } = credentials;
  const host = environment === 'sandbox' ? 'api.sandbox.checkout.com' : 'api.checkout.com';
  if (prefix === '') return `https://${host}`;
  // The prefix becomes a part of a host, so no other character may be in it.
  return /^[a-z0-9]{1,40}$/.test(prefix) ? `https://${prefix}.${host}` : null;
};

export type Answer = ProviderAnswer<CheckoutError>;

/** The calls of one operation. All calls share the time limit of the operation. */
export type Api = {
  /** Reads an object or a list. `path` has its query. */
  get(path: string): Promise<Answer>;
  /** Reads a text, such as a report. */
  read(path: string): Promise<Answer>;
  /** Does something once for each key. */
  post(path: string, body: object, key: string): Promise<Answer>;
  /** Exchanges the token of a wallet, with the public key. Each exchange makes another token. */
  exchange(body: object): Promise<Answer>;
  /** Does something whose repeat changes nothing more. */
  put(method: 'POST' | 'PUT', path: string, body: object | Multipart | null): Promise<Answer>;
};

type Sent = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object | Multipart | null;
  readonly key?: string;
  readonly bearer?: string | undefined;
  /** True for an answer that is no JSON. */
  readonly isText?: boolean;
};

/** Opens the calls of one operation. Nothing is sent with a key of the other environment. */
export function openApi(context: CallContext, hosts: CheckoutHosts): Api {
  const leftMs = countDown(context.deadlineMs);
  const host = hosts(context);
  const send = (sent: Sent): Promise<Answer> => {
    const deadlineMs = leftMs();
    if (deadlineMs < 1) return Promise.resolve(notSent('timeout'));
    if (host === null) return Promise.resolve(notSent('server_error', 'invalid_service_configuration'));
    return isOfEnvironment(context)
      ? exchange({ ...context, deadlineMs }, host, sent)
      : Promise.resolve(notSent('server_error', 'invalid_service_credentials'));
  };
  return {
    get: (path) => send({ method: 'GET', path }),
    read: (path) => send({ method: 'GET', path, isText: true }),
    post: (path, body, key) => send({ method: 'POST', path, body, key }),
    exchange: (body) =>
      send({ method: 'POST', path: '/tokens', body, bearer: context.credentials['public_key'] }),
    put: (method, path, body) => send({ method, path, body }),
  };
}

/** True if the secret key is for the environment. A key of the sandbox in production would book money that does not exist. */
export const isOfEnvironment = ({
  credentials,
  environment,
}: Pick<CallContext, 'environment'> & { readonly credentials: Credentials }): boolean =>
  isOfSandbox(credentials['secret_key'] ?? '') === (environment === 'sandbox');

const isOfSandbox = (key: string): boolean => /^[a-z]+_sbox_/.test(key);

/** The largest answers are reports. */
const REPLY_BYTES_MAX = 64 * 1024 * 1024;

/** Payments come in bursts, and a new connection costs more time than many calls. */
const IDLE_CONNECTIONS = 64;

async function exchange(
  { http, credentials, deadlineMs }: Pick<CallContext, 'http' | 'credentials' | 'deadlineMs'>,
  host: string,
  { method, path, body = null, key, bearer = credentials['secret_key'], isText = false }: Sent,
): Promise<Answer> {
  const form = body !== null && 'contentType' in body ? body : null;
  const answer = await http.send({
    ...{ method, url: `${host}${path}`, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== null && { 'content-type': form?.contentType ?? 'application/json' }),
      ...(key !== undefined && { 'cko-idempotency-key': key }),
    },
    ...(body !== null && { body: form?.body ?? JSON.stringify(body) }),
    pool: `checkout:${URL.parse(host)?.host ?? ''}`,
    idleConnections: IDLE_CONNECTIONS,
    // Checkout.com does the work of a failed request again, also under its key. A request without a key moves no money.
    repeatable: key === undefined,
  });
  if ('failure' in answer) return noReply(answer.failure);
  const { status, body: text } = answer.reply;
  return isText && status === 200 ? { kind: 'answered', body: text } : answerOf(answer.reply);
}

/** Sorts an answer by its status, before anybody reads its words. */
export function answerOf({ status, body }: Pick<HttpReply, 'status' | 'body'>): Answer {
  const parsed = parseJson(body);
  if (status >= 200 && status < 300)
    return parsed === null && body !== ''
      ? noAnswer({ cause: 'unreadable' })
      : { kind: 'answered', body: parsed };
  const error = errorAnswer.safeParse(parsed).data ?? null;
  const before = REFUSED_BEFORE[status];
  if (before) return notSent('server_error', before, error);
  // A clash of two requests of one key has 409.
  if (!REFUSALS.has(status)) return noAnswer({ cause: 'server_error' });
  // Some refusals have no body. The page of a proxy has one that is no error.
  return error === null && body.trim() !== ''
    ? noAnswer({ cause: 'unreadable' })
    : { kind: 'refused', status, error: error ?? NO_WORDS };
}

const NO_WORDS: CheckoutError = { error_type: null, error_codes: [] };

/** The statuses of an error about the request itself. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 422]);
