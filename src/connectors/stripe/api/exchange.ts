import {
  countDown,
  noAnswer,
  noReply,
  notSent,
  parseJson,
  REFUSED_BEFORE,
  type CallContext,
  type Multipart,
  type ProviderAnswer,
} from '../../door.ts';
import { errorAnswer, type StripeError } from './answers.ts';
import { encodeForm } from './form.ts';

/** The version of the API, sent with every request. The accounts' own versions have no effect. */
export const STRIPE_VERSION = '2026-10-28.endive';

/** The addresses of Stripe, without a path. */
export type StripeHosts = { readonly api: string; readonly files: string };

export const STRIPE_HOSTS: StripeHosts = { api: 'https://api.stripe.com', files: 'https://files.stripe.com' };

export type Answer = ProviderAnswer<StripeError>;

/** The calls of one operation. All calls share the time limit of the operation. */
export type Api = {
  /** Reads an object or a list. `query` has nested names as a form has. */
  get(path: string, query?: object): Promise<Answer>;
  /** Changes something once for each key. */
  post(path: string, parameters: object, key: string): Promise<Answer>;
  /** Uploads a form with a file once for each key. */
  upload(path: string, form: Multipart, key: string): Promise<Answer>;
};

type Sent = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string | Buffer;
  readonly key?: string;
};

/** Opens the calls of one operation. Nothing is sent with a key of the other environment. */
export function openApi(context: CallContext, hosts: StripeHosts): Api {
  const leftMs = countDown(context.deadlineMs);
  const send = (sent: Sent): Promise<Answer> => {
    const deadlineMs = leftMs();
    if (deadlineMs < 1) return Promise.resolve(notSent('timeout'));
    return isOfEnvironment(context)
      ? exchange(context, sent, deadlineMs)
      : Promise.resolve(notSent('server_error', 'invalid_service_credentials'));
  };
  return {
    get: (path, query = {}) => send({ method: 'GET', url: `${hosts.api}${path}${queryOf(query)}` }),
    post: (path, parameters, key) =>
      send({
        method: 'POST',
        url: `${hosts.api}${path}`,
        contentType: FORM,
        body: encodeForm(parameters),
        key,
      }),
    upload: (path, { contentType, body }, key) =>
      send({ method: 'POST', url: `${hosts.files}${path}`, contentType, body, key }),
  };
}

const FORM = 'application/x-www-form-urlencoded';

const queryOf = (query: object): string => {
  const text = encodeForm(query);
  return text === '' ? '' : `?${text}`;
};

/** True if the key is for the environment. A test key in production would book money that does not exist. */
export const isOfEnvironment = ({
  credentials,
  environment,
}: Pick<CallContext, 'credentials' | 'environment'>): boolean => {
  const [, mode] = /^[a-z]+(?:_org)?_(test|live)_/.exec(credentials['secret_key'] ?? '') ?? [];
  return mode !== (environment === 'production' ? 'test' : 'live');
};

/** Lists of a hundred whole objects are the largest answers. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;

/** Payments come in bursts, and a new connection costs more time than many calls. */
const IDLE_CONNECTIONS = 64;

async function exchange({ http, credentials }: CallContext, sent: Sent, deadlineMs: number): Promise<Answer> {
  const { method, url, contentType, body, key } = sent;
  const { secret_key: secret = '', stripe_account: account } = credentials;
  const answer = await http.send({
    ...{ method, url, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      authorization: `Bearer ${secret}`,
      'stripe-version': STRIPE_VERSION,
      ...(account && { 'stripe-account': account }),
      ...(contentType && { 'content-type': contentType }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body }),
    pool: `stripe:${new URL(url).host}`,
    idleConnections: IDLE_CONNECTIONS,
    // Stripe recognises a repeat by the key, and a read changes nothing.
    repeatable: true,
  });
  return 'reply' in answer ? answerOf(answer.reply) : noReply(answer.failure);
}

type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Sorts an answer by its status, before anybody reads its words. */
export function answerOf({ status, headers, body }: Reply): Answer {
  const parsed = parseJson(body);
  if (status >= 200 && status < 300)
    return parsed === null ? noAnswer({ cause: 'unreadable' }) : { kind: 'answered', body: parsed };
  const error = errorAnswer.safeParse(parsed).data?.error ?? null;
  if (error?.type === 'idempotency_error' && status !== 409) return ARRIVED;
  const before = REFUSED_BEFORE[status];
  if (before && error?.code !== 'lock_timeout') return notSent('server_error', before, error);
  if (status < 400 || status >= 500 || UNDECIDED.has(status)) return undecided(headers);
  return error === null ? noAnswer({ cause: 'unreadable' }) : explicit(status, error, headers);
}

/** A clash of two requests of one key, a dependency that failed, and a lock that another request holds. */
const UNDECIDED: ReadonlySet<number> = new Set([409, 424, 429]);

/** The codes with which Stripe says that it does not know the result. */
const UNDECIDED_CODES: ReadonlySet<string> = new Set([
  ...['payment_method_provider_timeout', 'lock_timeout', 'idempotency_key_in_use'],
]);

function explicit(status: number, error: StripeError, headers: Reply['headers']): Answer {
  if (UNDECIDED_CODES.has(error.code ?? '') || error.type === 'api_error') return undecided(headers);
  return { kind: 'refused', status, error };
}

/**
 * Stripe keeps its first answer for a day, also an error. A replayed error will never change, so only a look-up then finds the
 * result. The connector itself never repeats a request, whatever `Stripe-Should-Retry` says.
 */
const undecided = (headers: Reply['headers']): Answer =>
  headers['idempotent-replayed'] === 'true' ? ARRIVED : noAnswer({ cause: 'server_error' });

/** An earlier request with this key arrived, with other parameters or with an error as its result. */
const ARRIVED = noAnswer({ cause: 'server_error', arrived: true });
