import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AccessToken, AccessTokens, LoadedToken } from '../interface/access-tokens.ts';
import type { Credentials } from '../interface/call-context.ts';
import type { Clock } from '../../platform/clock.ts';

/** The access tokens of all payment services of this process. */
export type AccessTokenStore = {
  /** Returns the tokens of a payment service for one call. Other credentials have other tokens. */
  of(paymentServiceId: string, credentials: Credentials): AccessTokens;
};

/** More payment services than a process calls within the lifetime of a token. */
const SERVICES_MAX = 10_000;

/** A token is renewed this long before its end, so that no call arrives with an expired token. */
const MARGIN_MS = 60_000;

/** The margin of a token with a short life, as a share of its life. */
const MARGIN_SHARE = 0.1;

type Held = { readonly token: AccessToken; readonly untilMs: number };

/** Makes an empty store. It forgets the tokens of the services that were called the longest time ago. */
export function createAccessTokenStore(clock: Clock): AccessTokenStore {
  const held = new LRUCache<string, Held>({ max: SERVICES_MAX });
  const loading = new Map<string, Promise<LoadedToken>>();
  const load = async (name: string, ask: () => Promise<LoadedToken>): Promise<LoadedToken> => {
    const askedAtMs = clock.now().getTime();
    const loaded = await ask();
    if ('token' in loaded)
      held.set(name, { token: loaded.token, untilMs: askedAtMs + usableMsOf(loaded.token) });
    return loaded;
  };
  const get = (name: string, ask: () => Promise<LoadedToken>): Promise<LoadedToken> => {
    const known = held.get(name);
    if (known && clock.now().getTime() < known.untilMs) return Promise.resolve({ token: known.token });
    const begun = loading.get(name) ?? load(name, ask).finally(() => loading.delete(name));
    loading.set(name, begun);
    return begun;
  };
  return {
    of: (paymentServiceId, credentials) => {
      // Most calls need no token, so the digest is made only for a token.
      const name = (): string => `${paymentServiceId} ${digestOf(credentials)}`;
      let used: string | null = null;
      return {
        get: async (ask) => {
          const loaded = await get(name(), ask);
          if ('token' in loaded) used = loaded.token.value;
          return loaded;
        },
        current: () => used,
        drop: (refused) => {
          if (held.get(name())?.token === refused) held.delete(name());
        },
      };
    },
  };
}

const usableMsOf = ({ lifetimeMs }: AccessToken): number =>
  lifetimeMs - Math.min(MARGIN_MS, lifetimeMs * MARGIN_SHARE);

const digestOf = (credentials: Credentials): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(credentials).toSorted()))
    .digest('base64url');
