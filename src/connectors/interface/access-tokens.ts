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
  /** The token that this call used last, which no answer may show. Null without one. */
  current(): string | null;
};

/** A provider's answer that says only that the access token is not valid. The provider did nothing. */
export const UNAUTHORISED = Symbol('unauthorised');

/** The tokens of a call, and the time limit of the whole call in milliseconds. */
type Call = { readonly accessTokens: AccessTokens; readonly deadlineMs: number };

/**
 * Performs a call with an access token. A provider that refuses the token did nothing, so the call is performed once more
 * with a new token. Returns the answer, or the reason why there is no token.
 *
 * All steps share the time limit of the call, and each gets the rest. Without any rest, nothing more is sent.
 */
export async function withAccessToken<Answer>(
  { accessTokens, deadlineMs }: Call,
  load: (deadlineMs: number) => Promise<LoadedToken>,
  perform: (token: string, deadlineMs: number) => Promise<Answer | typeof UNAUTHORISED>,
): Promise<Answer | Exclude<LoadedToken, { readonly token: AccessToken }>> {
  const startedAt = performance.now();
  const restMs = () => Math.floor(deadlineMs - (performance.now() - startedAt));
  for (let isLast = false; ; isLast = true) {
    const loaded = await accessTokens.get(() => load(Math.max(restMs(), 1)));
    if (!('token' in loaded)) return loaded;
    const left = restMs();
    if (left < 1) return { unknown: { kind: 'unknown', cause: 'timeout', sent: false } };
    const answer = await perform(loaded.token.value, left);
    if (answer !== UNAUTHORISED) return answer;
    accessTokens.drop(loaded.token);
    if (isLast) return { refused: true };
  }
}
