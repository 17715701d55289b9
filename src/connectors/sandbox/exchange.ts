import type { CallContext } from '../call-context.ts';
import type { Outcome } from '../outcome.ts';

/** The provider's parsed answer, not yet validated, or the cause of a missing answer. */
export type Exchanged =
  | { readonly answer: unknown }
  | { readonly unknown: Extract<Outcome, { readonly kind: 'unknown' }> };

const REPLY_BYTES_MAX = 64 * 1024;

/** Payments come in bursts, and a new connection costs more time than the call itself. */
const IDLE_CONNECTIONS = 64;

/** Posts a request to the merchant's own simulator. */
export const exchange = (
  context: ExchangeContext,
  url: string,
  request: { readonly idempotency_key?: string },
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
  if (answer.reply.status !== 200) return { unknown: { kind: 'unknown', cause: 'server_error' } };
  return { answer: parseJson(answer.reply.body) };
}

/** Returns the parsed text, or null if the text is no JSON. No valid answer is null. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
