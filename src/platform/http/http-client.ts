import { isIP, type LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { createAddressGuard, type AddressGuard } from './address-guard.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import { attempt, type AttemptEnd } from './exchange.ts';
import { createPools } from './pools.ts';
import { createResolve, isLocalhost, LOCALHOST, type Resolve } from './resolver.ts';
import { NO_TIMING } from './timing.ts';
import type { HttpFailure, HttpSender } from './reply.ts';
import { tracedSend } from './traced-send.ts';

export { SANDBOX_NETWORKS } from './address-guard.ts';
export { NO_TIMING, type HttpTiming } from './timing.ts';
export type { HttpAnswer, HttpFailure, HttpReply, HttpSender } from './reply.ts';

/** The outbound HTTP client. Checks and pins addresses, follows no redirects, and never throws. */
export type HttpClient = HttpSender & {
  /** Returns why an address may not be called, as a sentence. Null when it may. Does not resolve names. */
  refuseUrl(url: string): string | null;
  close(): void;
};

export type HttpClientSettings = {
  /** Networks (CIDR) that may be reached although they are not public. */
  readonly allowedNetworks: readonly string[];
  /** True if `http:` may be called. Production allows only https. */
  readonly allowInsecureHttp: boolean;
  /** The name look-up, by default the system's. The results are checked like any other. */
  readonly resolve?: Resolve;
};

/** The idle connections of a peer with rare requests. */
const IDLE_CONNECTIONS = 2;

/** The addresses whose check is remembered. A webhook endpoint has the same address for each delivery. */
const CHECKED_MAX = 1_000;

/**
 * Creates the client for outbound requests. The address is checked at connection time, literal or resolved, and the
 * checked address is used. A name therefore cannot resolve to another address after the check. A repeatable request
 * that met a closed connection is repeated once if no reply has begun. The repeat uses a new connection within the same
 * deadline.
 */
export function createHttpClient(settings: HttpClientSettings): HttpClient {
  const guard = createAddressGuard(settings.allowedNetworks);
  const lookup = guardedLookup(guard, settings.resolve ?? createResolve());
  const pools = createPools();
  const checked = new LRUCache<string, Checked>({ max: CHECKED_MAX });
  const check = (text: string): Checked => {
    const known = checked.get(text);
    if (known) return known;
    const fresh = checkUrl(text, guard, settings.allowInsecureHttp);
    checked.set(text, fresh);
    return fresh;
  };
  return {
    send: tracedSend(async (request) => {
      const startedAt = performance.now();
      const durationMs = (): number => Math.round(performance.now() - startedAt);
      const address = check(request.url);
      if ('refused' in address)
        return {
          failure: { kind: address.refused, sent: false, durationMs: durationMs(), timing: NO_TIMING },
        };
      const { url } = address;
      const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
      const idle = request.idleConnections ?? IDLE_CONNECTIONS;
      const agent = !request.identity && pools.agent(request.pool, protocol, idle);
      const end = await withDeadline(request.deadlineMs, async (deadline) => {
        const first = await attempt({ request, url, agent, lookup, deadline });
        if (!request.repeatable || !closedWhileIdle(first)) return first;
        const second = await attempt({ request, url, agent: false, lookup, deadline });
        // However the repeat ends, the peer may have seen the first request.
        return second.kind === 'failed' ? { ...second, reached: 'sent' } : second;
      });
      const took = { durationMs: durationMs(), timing: end.timing };
      return end.kind === 'replied'
        ? { reply: { status: end.status, headers: end.headers, body: end.body, ...took } }
        : { failure: { kind: end.failure, sent: end.sent, ...took } };
    }),
    refuseUrl: (text) => {
      const address = check(text);
      return 'refused' in address ? address.sentence : null;
    },
    close: () => pools.close(),
  };
}

type Checked =
  | { readonly url: URL }
  | { readonly refused: 'invalid_url' | 'forbidden_address'; readonly sentence: string };

function checkUrl(text: string, guard: AddressGuard, insecure: boolean): Checked {
  const url = URL.parse(text);
  const refuse = (sentence: string): Checked => ({ refused: 'invalid_url', sentence });
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return refuse('Must be an absolute https URL.');
  if (url.protocol === 'http:' && !insecure) return refuse('Must be https.');
  if (url.username !== '' || url.password !== '')
    return refuse('Must not contain a user name or a password.');
  if (literalAddresses(url.hostname).every((address) => guard.permits(address))) return { url };
  return {
    refused: 'forbidden_address',
    sentence: 'Must not be an address of a private or reserved network.',
  };
}

/** Returns the addresses of a host that needs no look-up. WHATWG URLs already have decimal IPv4 addresses. */
function literalAddresses(hostname: string): readonly string[] {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return [bare];
  return isLocalhost(bare) ? LOCALHOST.map(({ address }) => address) : [];
}

/** Looks a name up. Returns its addresses only if every address is permitted. */
function guardedLookup(guard: AddressGuard, resolve: Resolve): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolve(hostname).then(
      (found) => {
        const fit = found.filter((one) => !family || family === one.family || family === `IPv${one.family}`);
        const [first] = fit;
        if (!found.every(({ address }) => guard.permits(address))) callback(withCode(FORBIDDEN), [], 0);
        else if (!first) callback(withCode('ENOTFOUND'), [], 0);
        else if (all) callback(null, [...fit]);
        else callback(null, first.address, first.family);
      },
      () => callback(withCode('ENOTFOUND'), [], 0),
    );
  };
}

const FORBIDDEN = 'EFORBIDDENADDRESS';
const withCode = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

type End =
  | Extract<AttemptEnd, { kind: 'replied' }>
  | (Pick<HttpFailure, 'sent' | 'timing'> & {
      readonly kind: 'failed';
      readonly failure: HttpFailure['kind'];
    });

/** Runs an exchange under one deadline. */
async function withDeadline(
  deadlineMs: number,
  run: (deadline: Deadline) => Promise<AttemptEnd>,
): Promise<End> {
  const deadline = startDeadline(deadlineMs);
  const end = await run(deadline);
  deadline.clear();
  if (end.kind === 'replied') return end;
  const sent = end.reached === 'sent' || end.reached === 'reply';
  const failure = deadline.isOver() ? 'timeout' : failureOf(end);
  return { kind: 'failed', failure, sent, timing: end.timing };
}

const closedWhileIdle = (end: AttemptEnd): boolean =>
  end.kind === 'failed' &&
  end.reused &&
  end.reached === 'sent' &&
  (end.code === 'ECONNRESET' || end.code === 'EPIPE');

function failureOf({ code, reached }: Extract<AttemptEnd, { kind: 'failed' }>): HttpFailure['kind'] {
  if (code === FORBIDDEN) return 'forbidden_address';
  if (code === 'ENOTFOUND') return 'unknown_host';
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') return 'invalid_request';
  if (reached === 'nothing') return 'connection_refused';
  return reached === 'connected' ? 'tls' : 'connection_lost';
}
