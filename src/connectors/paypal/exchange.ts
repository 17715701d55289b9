import { z } from 'zod';
import {
  answerByStatus,
  countDown,
  noReply,
  notSent,
  parseJson,
  UNAUTHORISED,
  withAccessToken,
  type CallContext,
  type HttpReply,
  type LoadedToken,
  type Multipart,
  type ProviderAnswer,
  type UnknownCause,
} from '../door.ts';
import { errorAnswer, type PayPalError } from './answers.ts';

/** The addresses of PayPal by environment, without a path. */
export type PayPalHosts = Readonly<Record<CallContext['environment'], string>>;

export const PAYPAL_HOSTS: PayPalHosts = {
  production: 'https://api-m.paypal.com',
  sandbox: 'https://api-m.sandbox.paypal.com',
};

export type Answer = ProviderAnswer<PayPalError>;

/** The calls of one operation. All calls share the time limit of the operation. */
export type Api = {
  /** Reads an object or a list. `path` has its query. */
  get(path: string): Promise<Answer>;
  /** Changes something once for each key. A key has at most 108 characters. */
  post(path: string, body: object, key: string): Promise<Answer>;
  /** Sends a form with files. PayPal may not recognise a repeat. */
  upload(path: string, form: Multipart): Promise<Answer>;
  /** Deletes something. A second time, the answer is the same. */
  delete(path: string): Promise<Answer>;
};

type Sent = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly form?: Multipart;
  readonly key?: string;
};

/** Opens the calls of one operation. The access token is shared with other operations. */
export function openApi(context: CallContext, hosts: PayPalHosts): Api {
  const leftMs = countDown(context.deadlineMs);
  const host = hosts[context.environment];
  const call = async (sent: Sent): Promise<Answer> => {
    const deadlineMs = leftMs();
    if (deadlineMs < 1) return notSent('timeout');
    const answer = await withAccessToken(
      { accessTokens: context.accessTokens, deadlineMs },
      (restMs) => loadToken({ ...context, deadlineMs: restMs }, host),
      (token, restMs) => exchange({ ...context, deadlineMs: restMs }, host, sent, token),
    );
    if ('kind' in answer) return answer;
    return 'refused' in answer
      ? notSent('server_error', 'invalid_service_credentials')
      : { kind: 'unknown', unknown: answer.unknown };
  };
  return {
    get: (path) => call({ method: 'GET', path }),
    post: (path, body, key) => call({ method: 'POST', path, body, key }),
    upload: (path, form) => call({ method: 'POST', path, form }),
    delete: (path) => call({ method: 'DELETE', path }),
  };
}

/** An order with all its payments is the largest answer about a payment. A page of a report is larger. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;

/** Payments come in bursts, and a new connection costs more time than many calls. */
const IDLE_CONNECTIONS = 64;

type Context = Pick<CallContext, 'http' | 'credentials' | 'deadlineMs'>;

async function exchange(
  { http, deadlineMs }: Context,
  host: string,
  { method, path, body, form, key }: Sent,
  token: string,
): Promise<Answer | typeof UNAUTHORISED> {
  const answer = await http.send({
    ...{ method, url: `${host}${path}`, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      authorization: `Bearer ${token}`,
      // Without the preference, an answer has only ids and links.
      prefer: 'return=representation',
      ...(body && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': form.contentType }),
      ...(key !== undefined && { 'paypal-request-id': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(form && { body: form.body }),
    pool: poolOf(host),
    idleConnections: IDLE_CONNECTIONS,
    // PayPal recognises a repeat by the request id. A read changes nothing, and neither does a second deletion.
    repeatable: form === undefined,
  });
  if ('failure' in answer) return noReply(answer.failure);
  return answer.reply.status === 401 ? UNAUTHORISED : answerOf(answer.reply);
}

const poolOf = (host: string): string => `paypal:${URL.parse(host)?.host ?? ''}`;

/** Sorts an answer by its status, before anybody reads its words. */
export const answerOf = (reply: Pick<HttpReply, 'status' | 'body'>): Answer =>
  answerByStatus<PayPalError>(reply, { errorIn: (body) => errorAnswer.safeParse(body).data ?? null });

/** Asks for an access token with the client's credentials (RFC 6749, 4.4). */
export async function loadToken(
  { http, credentials, deadlineMs }: Context,
  host: string,
): Promise<LoadedToken> {
  const { client_id: id = '', client_secret: secret = '' } = credentials;
  const answer = await http.send({
    ...{ method: 'POST', url: `${host}/v1/oauth2/token`, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    pool: poolOf(host),
    idleConnections: IDLE_CONNECTIONS,
    // A second token does not end the first.
    repeatable: true,
  });
  if ('failure' in answer) return noToken(answer.failure.kind === 'timeout' ? 'timeout' : 'connection');
  const { status, body } = answer.reply;
  if (status === 401) return { refused: true };
  if (status !== 200) return noToken('server_error');
  const parsed = tokenAnswer.safeParse(parseJson(body));
  if (!parsed.success) return noToken('unreadable');
  return { token: { value: parsed.data.access_token, lifetimeMs: parsed.data.expires_in * 1_000 } };
}

/** The operation itself never left, whatever became of the request for the token. */
const noToken = (cause: UnknownCause): LoadedToken => ({ unknown: { kind: 'unknown', cause, sent: false } });

const tokenAnswer = z.object({ access_token: z.string().min(1).max(10_000), expires_in: z.int().min(1) });
