import { Resolver, lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 };

/** Returns all addresses of a host name. Rejects with an error with a DNS `code` when there is none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Creates a resolver outside the thread pool that `dns.lookup` shares with file access. One slow zone therefore delays
 * nothing else. A name that is unknown to the name servers goes to the operating system (hosts file, search domains).
 * Results are cached for 30 s, at most 1000 of them.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  const cache = new LRUCache<string, Promise<readonly ResolvedAddress[]>>({ max: CACHE_MAX, ttl: CACHE_MS });
  return (hostname) => {
    const known = cache.get(hostname);
    if (known) return known;
    const requested = resolveFresh(resolver, hostname);
    cache.set(hostname, requested);
    requested.catch(() => cache.delete(hostname));
    return requested;
  };
}

const TRY_MS = 1_000;
const TRIES = 2;
const CACHE_MS = 30_000;
const CACHE_MAX = 1_000;

async function resolveFresh(resolver: Resolver, hostname: string): Promise<readonly ResolvedAddress[]> {
  if (isLocalhost(hostname)) return LOCALHOST;
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
  if (found.length > 0) return found;
  // A silent name server would also block a thread of the pool. Only a definite "no such name" goes on.
  if (timedOut(four) || timedOut(six))
    throw Object.assign(new Error('The name servers did not answer.'), { code: 'ETIMEOUT' });
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** Returns true for names that always mean this machine (RFC 6761), with or without a final dot. */
export const isLocalhost = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname);

export const LOCALHOST: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const addressesOf = (answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): ResolvedAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

const timedOut = (answer: PromiseSettledResult<unknown>): boolean =>
  answer.status === 'rejected' && (answer.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
