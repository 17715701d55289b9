import type { Unknown } from './outcome.ts';

/** An access token of a provider, which many calls share until it expires. A secret. */
export type AccessToken = { readonly value: string; readonly lifetimeMs: number };

/** The answer of a provider to the request for a token. Nothing else was sent before it. */
export type LoadedToken =
  | { readonly token: AccessToken }
  /** The provider refuses the credentials. */
  | { readonly refused: true }
  | { readonly unknown: Unknown };

/**
 * The access tokens of one payment service, in memory alone. A restart, another process and other credentials begin
 * without a token.
 */
export type AccessTokens = {
  /** Returns the token in memory, or loads one. Calls at the same time share one load. */
  get(load: () => Promise<LoadedToken>): Promise<LoadedToken>;
  /** Forgets a token that the provider has refused. Keeps a newer token. */
  drop(refused: AccessToken): void;
  /** The token in memory, which no answer may show. Null without one. */
  current(): string | null;
};

/** A provider's answer that says only that the access token is not valid. The provider did nothing. */
export const UNAUTHORISED = Symbol('unauthorised');

/**
 * Performs a call with an access token. A provider that refuses the token did nothing, so the call is performed once more
 * with a new token. Returns the answer, or the reason why there is no token.
 */
export async function withAccessToken<Answer>(
  tokens: AccessTokens,
  load: () => Promise<LoadedToken>,
  perform: (token: string) => Promise<Answer | typeof UNAUTHORISED>,
): Promise<Answer | Exclude<LoadedToken, { readonly token: AccessToken }>> {
  for (let isLast = false; ; isLast = true) {
    const loaded = await tokens.get(load);
    if (!('token' in loaded)) return loaded;
    const answer = await perform(loaded.token.value);
    if (answer !== UNAUTHORISED) return answer;
    tokens.drop(loaded.token);
    if (isLast) return { refused: true };
  }
}
