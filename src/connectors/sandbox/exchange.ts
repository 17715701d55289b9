import type { CallContext } from '../call-context.ts';
import type { Outcome } from '../outcome.ts';

/** The provider's answer, parsed and not yet read; or why there is none. */
export type Exchanged =
  | { readonly answer: unknown }
  | { readonly unknown: Extract<Outcome, { readonly kind: 'unknown' }> };

const REPLY_BYTES_MAX = 64 * 1024;

/** Payments come in bursts, and a new connection costs each of them more than the call. */
const IDLE_CONNECTIONS = 64;

/** Posts a request to a simulator of the merchant's own. */
export const exchange = (
  context: ExchangeContext,
  url: string,
  request: { readonly idempotency_key?: string },
): Promise<Exchanged> => exchangeUnder(request.idempotency_key, context, url, request);

export type ExchangeContext = Pick<CallContext, 'credentials' | 'http' | 'deadlineMs'>;

/** The same for a request that has its key nowhere, or somewhere else. */
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

/** The parsed text, or null, which no answer of the provider is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
