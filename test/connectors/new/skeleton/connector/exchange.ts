import { parseJson } from '../../../../../src/kernel/json.ts';
import type { CallContext } from '../../../../../src/connectors/interface/call-context.ts';
import type { Outcome, Unknown } from '../../../../../src/connectors/interface/outcome.ts';
import { outcomeOfError } from './errors.ts';

/** Finds the address of the provider's API, without a slash at the end. */
export type SkeletonHost = (context: Pick<CallContext, 'environment'>) => string;

/** A request to the provider. The same key on every attempt makes the provider act once. */
export type SkeletonRequest = { readonly url: string; readonly key: string; readonly body: object };

const REPLY_BYTES_MAX = 256 * 1024;

/** Payments come in bursts, and a new connection costs more time than the call itself. */
const IDLE_CONNECTIONS = 64;

/** Posts a request, and reads its answer. Never throws. */
export async function post(
  context: CallContext,
  { url, key, body }: SkeletonRequest,
  read: (answer: unknown) => Outcome,
): Promise<Outcome> {
  const answered = await send(context, { url, key, body });
  if ('unknown' in answered) return answered.unknown;
  const { status, text } = answered;
  return isSuccess(status) ? read(parseJson(text)) : outcomeOfError(status, parseJson(text));
}

/** Asks for an object. Null if the provider does not know the object. */
export async function get(
  context: CallContext,
  url: string,
  read: (answer: unknown) => Outcome | null,
): Promise<Outcome | null> {
  const answered = await send(context, { url });
  if ('unknown' in answered) return answered.unknown;
  const { status, text } = answered;
  if (status === 404) return null;
  return isSuccess(status) ? read(parseJson(text)) : { kind: 'unknown', cause: 'server_error' };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

async function send(
  { http, credentials, deadlineMs }: CallContext,
  { url, key, body }: Partial<SkeletonRequest> & { readonly url: string },
): Promise<{ readonly status: number; readonly text: string } | { readonly unknown: Unknown }> {
  const answer = await http.send({
    ...{ method: body ? 'POST' : 'GET', url, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      authorization: `Bearer ${credentials['api_key'] ?? ''}`,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    pool: `skeleton:${URL.parse(url)?.host ?? ''}`,
    idleConnections: IDLE_CONNECTIONS,
    // The provider does a request of one key once.
    repeatable: true,
  });
  if ('reply' in answer) return { status: answer.reply.status, text: answer.reply.body };
  const { kind, sent } = answer.failure;
  const cause = kind === 'timeout' ? 'timeout' : 'connection';
  return { unknown: { kind: 'unknown', cause, ...(!sent && { sent }) } };
}
