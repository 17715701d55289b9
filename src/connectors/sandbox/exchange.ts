import type { CallContext } from '../call-context.ts';
import type { Unknown } from '../outcome.ts';

/** The provider's parsed answer, not yet validated, or the cause of a missing answer. */
export type Exchanged = { readonly answer: unknown } | { readonly unknown: Unknown };

const REPLY_BYTES_MAX = 64 * 1024;

/** Payments come in bursts, and a new connection costs more time than the call itself. */
const IDLE_CONNECTIONS = 64;

/** Posts a request to the merchant's own simulator. */
export const exchange = (
  context: ExchangeContext,
  url: string,
  request: { readonly operation: string; readonly idempotency_key?: string },
): Promise<Exchanged> => exchangeUnder(request.idempotency_key, context, url, request);

export type ExchangeContext = Pick<CallContext, 'credentials' | 'http' | 'deadlineMs'>;

/** Posts a request whose body lacks `idempotency_key`, under a given key. */
export async function exchangeUnder(
  key: string | undefined,
  { credentials, http, deadlineMs }: ExchangeContext,
  url: string,
  request: object,
): Promise<Exchanged> {
  const { api_key: apiKey } = credentials;
  const answer = await http.send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
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
  const arrived = status === KEY_REUSED || answered['idempotent-replayed'] === 'true';
  return { unknown: { kind: 'unknown', cause: 'server_error', ...(arrived && { arrived }) } };
}

/**
 * The status of a request whose key came before with another body (draft-ietf-httpapi-idempotency-key-header, 2.7).
 * A provider that still works on the first request answers 409, which says nothing yet.
 */
const KEY_REUSED = 422;

/** Returns the parsed text, or null if the text is no JSON. No valid answer is null. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
