import {
  answerByStatus,
  countDown,
  noReply,
  notSent,
  type CallContext,
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
}: Pick<CallContext, 'credentials' | 'environment'>): boolean =>
  /^[a-z]+_sbox_/.test(credentials['secret_key'] ?? '') === (environment === 'sandbox');

/** The actions of a payment are the largest answer. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;

/** Payments come in bursts, and a new connection costs more time than many calls. */
const IDLE_CONNECTIONS = 64;

async function exchange(
  { http, credentials, deadlineMs }: Pick<CallContext, 'http' | 'credentials' | 'deadlineMs'>,
  host: string,
  { method, path, body = null, key, bearer = credentials['secret_key'] }: Sent,
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
  return 'failure' in answer ? noReply(answer.failure) : answerOf(answer.reply);
}

/** Sorts an answer by its status, before anybody reads its words. Some refusals have no body. */
export const answerOf = (reply: Pick<HttpReply, 'status' | 'body'>): Answer =>
  answerByStatus<CheckoutError>(reply, {
    errorIn: (body) => errorAnswer.safeParse(body).data ?? null,
    withoutBody: { error_type: null, error_codes: [] },
  });
