import { z } from 'zod';
import {
  UNAUTHORISED,
  withAccessToken,
  parseJson,
  type LoadedToken,
  type CallContext,
  type Unknown,
} from '../door.ts';

/** The provider's parsed answer, not yet validated, or the cause of a missing answer. */
export type Exchanged =
  | { readonly answer: unknown }
  | {
      readonly unknown: Unknown;
      /** True when the provider refuses the credentials. */
      readonly refused?: true;
    };

const REPLY_BYTES_MAX = 64 * 1024;

/** Payments come in bursts, and a new connection costs more time than the call itself. */
const IDLE_CONNECTIONS = 64;

/**
 * Posts a request to the merchant's own simulator. With a client id among the credentials, the request has an access token.
 * The simulator gives the token for the client's secret.
 */
export async function exchange(
  context: ExchangeContext & Pick<CallContext, 'accessTokens'>,
  url: string,
  request: { readonly operation: string; readonly idempotency_key?: string },
): Promise<Exchanged> {
  const { client_id: clientId } = context.credentials;
  const { idempotency_key: key } = request;
  if (!clientId) return exchangeUnder(key, context, url, request);
  const answer = await withAccessToken(
    context,
    (deadlineMs) => loadToken({ ...context, deadlineMs }, url),
    (token, deadlineMs) => post(key, { ...context, deadlineMs }, url, request, token),
  );
  // No token: the request itself never left.
  return 'refused' in answer ? { unknown: NOT_SENT, refused: true } : answer;
}

export type ExchangeContext = Pick<CallContext, 'credentials' | 'http' | 'deadlineMs'>;

const NOT_SENT: Unknown = { kind: 'unknown', cause: 'server_error', sent: false };

/** Posts a request whose body lacks `idempotency_key`, under a given key. */
export async function exchangeUnder(
  key: string | undefined,
  context: ExchangeContext,
  url: string,
  request: object,
): Promise<Exchanged> {
  const answer = await post(key, context, url, request, context.credentials['api_key']);
  return answer === UNAUTHORISED ? { unknown: { kind: 'unknown', cause: 'server_error' } } : answer;
}

async function post(
  key: string | undefined,
  { http, deadlineMs }: ExchangeContext,
  url: string,
  request: object,
  token: string | undefined,
): Promise<Exchanged | typeof UNAUTHORISED> {
  const answer = await http.send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(request),
    deadlineMs,
    replyBytesMax: REPLY_BYTES_MAX,
    pool: `sandbox:${url}`,
    idleConnections: IDLE_CONNECTIONS,
    repeatable: true,
  });
  if ('failure' in answer) {
    const { kind, sent } = answer.failure;
    const cause = kind === 'timeout' ? 'timeout' : 'connection';
    return { unknown: { kind: 'unknown', cause, ...(!sent && { sent }) } };
  }
  const { status, headers: answered, body } = answer.reply;
  if (status === 200) return { answer: parseJson(body) };
  if (status === 401) return UNAUTHORISED;
  const arrived = status === KEY_REUSED || answered['idempotent-replayed'] === 'true';
  return { unknown: { kind: 'unknown', cause: 'server_error', ...(arrived && { arrived }) } };
}

/** Asks the simulator for an access token, as of OAuth 2.0 with the client's credentials (RFC 6749, 4.4). */
async function loadToken(context: ExchangeContext, url: string): Promise<LoadedToken> {
  const { client_id, client_secret } = context.credentials;
  const request = { operation: 'token', grant_type: 'client_credentials', client_id, client_secret };
  const exchanged = await post(undefined, context, url, request, undefined);
  if (exchanged === UNAUTHORISED) return { refused: true };
  // The payment itself never left, whatever became of the request for the token.
  if ('unknown' in exchanged) return { unknown: { ...exchanged.unknown, sent: false } };
  const parsed = tokenReply.safeParse(exchanged.answer);
  if (!parsed.success) return { unknown: { kind: 'unknown', cause: 'unreadable', sent: false } };
  const { access_token: value, expires_in: seconds } = parsed.data;
  return { token: { value, lifetimeMs: seconds * 1_000 } };
}

const tokenReply = z.object({ access_token: z.string().min(1).max(10_000), expires_in: z.int().min(1) });

/**
 * The status of a request whose key came before with another body (draft-ietf-httpapi-idempotency-key-header, 2.7).
 * A provider that still works on the first request answers 409, which says nothing yet.
 */
const KEY_REUSED = 422;
