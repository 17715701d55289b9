import { pauseMs, sleep } from '../pause.ts';
import type { Request } from './document.ts';
import { codeOf, errorOf, UnavailableError, type RequestError, type ServiceError } from './errors.ts';
import type { Keys } from './keys.ts';
import type { ClientOptions } from './options.ts';

/** The options of a client with their defaults. */
export type Sender = Pick<ClientOptions, 'url' | 'token' | 'merchantAccountId'> & {
  readonly retries: number;
  readonly timeoutMs: number;
  readonly pauses: NonNullable<ClientOptions['pauses']>;
  readonly fetch: typeof fetch;
};

/** The keys of a request's mutations, and the caller's signal. */
type Sent = { readonly keys: Keys; readonly signal: AbortSignal | undefined };

type Data = Readonly<Record<string, unknown>>;

/** The end of one try. `again` names the reason for a retry, and the wait that the service asks for. */
type Try =
  | { readonly data: Data }
  | { readonly error: RequestError }
  | { readonly again: string; readonly waitMs: number; readonly error?: RequestError };

/**
 * Sends a request until a usable answer comes or the retries are used up. Every try has the same body, so the same keys. Rejects
 * with `UnavailableError` if no try had a usable answer.
 */
export async function send(sender: Sender, request: Request, { keys, signal }: Sent): Promise<Data> {
  const body = JSON.stringify(request);
  for (let failures = 0; ; failures += 1) {
    const ended = await tryOnce(sender, body, signal);
    signal?.throwIfAborted();
    if ('data' in ended) return ended.data;
    if (!('again' in ended)) throw ended.error;
    if (failures >= sender.retries) throw ended.error ?? new UnavailableError(ended.again, keys);
    await sleep(Math.max(ended.waitMs, pauseMs(failures, sender.pauses)), signal ?? NEVER);
    signal?.throwIfAborted();
  }
}

const NEVER = new AbortController().signal;

async function tryOnce(sender: Sender, body: string, signal: AbortSignal | undefined): Promise<Try> {
  const { url, token, merchantAccountId, timeoutMs } = sender;
  const given = await token();
  const headers = {
    ...{ accept: 'application/json', 'content-type': 'application/json' },
    ...(given === null ? {} : { authorization: `Bearer ${given}` }),
    ...(merchantAccountId === undefined ? {} : { 'x-service-merchant-account-id': merchantAccountId }),
  };
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await sender.fetch(url, {
      ...{ method: 'POST', headers, body },
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    return read(response.status, await response.text(), response.headers.get('retry-after'));
  } catch (error) {
    return { again: error instanceof Error ? error.message : String(error), waitMs: 0 };
  }
}

type Body = { readonly data?: Data | null; readonly errors?: readonly ServiceError[] };

function read(status: number, text: string, retryAfter: string | null): Try {
  const waitMs = (Number(retryAfter) || 0) * 1_000;
  const body = parsed(text);
  if (!body) return { again: `The answer was no JSON. Its status was ${status}.`, waitMs };
  const { data = null, errors = [] } = body;
  if (errors.length > 0) return ended(errors, data, waitMs);
  if (!data) return { again: `The answer had no data. Its status was ${status}.`, waitMs };
  return isInProgress(data) ? { again: 'The first request with a key is still running.', waitMs } : { data };
}

function ended(errors: readonly ServiceError[], data: Data | null, waitMs: number): Try {
  const codes = errors.map(codeOf);
  const error = errorOf(errors, data);
  if (codes.every((code) => LIMITED.has(code))) return { again: error.message, waitMs, error };
  if (codes.some((code) => TRANSIENT.has(code))) return { again: error.message, waitMs };
  return { error };
}

/** Nothing was done. */
const LIMITED = new Set(['RATE_LIMITED', 'TOO_MANY_OPERATIONS']);

/** Something may have been done. */
const TRANSIENT = new Set(['UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']);

/** Tells whether a mutation waits for an earlier request with its key. */
const isInProgress = (data: Data): boolean =>
  Object.values(data).some((payload) =>
    (payload as { readonly userErrors?: readonly { readonly code?: string }[] } | null)?.userErrors?.some(
      ({ code }) => code === 'IDEMPOTENCY_IN_PROGRESS',
    ),
  );

function parsed(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
