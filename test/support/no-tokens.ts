import type { AccessTokens } from '../../src/connectors/interface/access-tokens.ts';

/** The access tokens of a provider without OAuth. Asking for one fails the test. */
export const noTokens = (): AccessTokens => ({
  get: () => Promise.reject(new Error('A token was asked for')),
  drop: () => undefined,
  current: () => null,
});
