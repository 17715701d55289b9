import { isObject, parseJson, type CheckContext, type UnknownCause } from '../door.ts';

/** Returns the address of a site, without a path. */
export type ForterHost = (siteId: string) => string;

export const FORTER_HOST: ForterHost = (siteId) => `https://${siteId}.api.forter-secure.com`;

/** A site id becomes part of a host name, and the key must reach no other host. */
const SITE_ID = /^[a-z0-9][a-z0-9-]{0,62}$/i;

const REPLY_BYTES_MAX = 256 * 1024;

/** Payments come in bursts, and a new connection costs more time than the call itself. */
const IDLE_CONNECTIONS = 64;

/**
 * The parsed answer, not yet validated, or the cause of a missing answer. The answer is null for a body that is no JSON.
 *
 * - `refused`: the HTTP status of a refusal. A repeat gets the same, so there is none. 0 for a request that never left.
 */
export type Exchanged =
  | { readonly answer: unknown }
  | { readonly cause: UnknownCause; readonly refused?: number };

type Context = Omit<CheckContext, 'definition' | 'now'>;

/**
 * Posts a request that names its order in the path. Tries twice within the deadline, and the first try gets half of it. A
 * repeat updates the same order at Forter.
 */
export async function exchange(
  context: Context,
  hostOf: ForterHost,
  path: string,
  body: object,
): Promise<Exchanged> {
  const startedAt = performance.now();
  const { deadlineMs } = context;
  const first = await post({ ...context, deadlineMs: Math.ceil(deadlineMs / 2) }, hostOf, path, body);
  if ('answer' in first || first.refused !== undefined) return first;
  const restMs = Math.floor(deadlineMs - (performance.now() - startedAt));
  return restMs < 1 ? first : post({ ...context, deadlineMs: restMs }, hostOf, path, body);
}

async function post(
  { http, credentials, deadlineMs, interfaceVersion }: Context,
  hostOf: ForterHost,
  path: string,
  body: object,
): Promise<Exchanged> {
  const { site_id: siteId = '', api_key: key = '' } = credentials;
  if (!SITE_ID.test(siteId)) return { cause: 'server_error', refused: 0 };
  const host = hostOf(siteId);
  const answer = await http.send({
    ...{ method: 'POST', url: `${host}${path}`, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      'api-version': interfaceVersion,
      'x-forter-siteid': siteId,
    },
    body: JSON.stringify(body, (_, value: unknown) => (value === null ? undefined : value)),
    pool: `forter:${host}`,
    idleConnections: IDLE_CONNECTIONS,
    repeatable: true,
  });
  if ('failure' in answer) return { cause: answer.failure.kind === 'timeout' ? 'timeout' : 'connection' };
  const { status, body: text } = answer.reply;
  if (status >= 200 && status < 300) return { answer: parseJson(text) };
  return { cause: 'server_error', ...(isRefusal(status, text) && { refused: status }) };
}

/** The statuses of a request that came at the wrong moment: too slow, too early, or one of too many. */
const OF_THE_MOMENT: ReadonlySet<number> = new Set([408, 425, 429]);

/** True if Forter itself refuses the request. The page of a proxy is no JSON, and says nothing about a repeat. */
const isRefusal = (status: number, body: string): boolean =>
  status >= 400 && status < 500 && !OF_THE_MOMENT.has(status) && isObject(parseJson(body));
