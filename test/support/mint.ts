import type { App } from '../../src/app.ts';
import { mintToken, provisionApiKey } from '../../src/modules/accounts/index.ts';

export type MintOptions = {
  /** Every scope unless given. */
  readonly scopes?: readonly string[];
  /** An hour unless given. */
  readonly lifetimeS?: number;
  /** Seconds ago that it was made; now unless given. */
  readonly ageS?: number;
  /** Ties the token to one merchant account. */
  readonly merchantAccountId?: string;
};

/** Signs a token. */
export type Mint = (options?: MintOptions) => Promise<string>;

/** Makes the merchant account `default` and an API key that may do everything, and signs with it. */
export async function createMint(app: App): Promise<Mint> {
  const key = await provisionApiKey(app);
  return ({ scopes = ['*.read', '*.write'], lifetimeS = 3600, ageS = 0, merchantAccountId } = {}) =>
    mintToken({
      ...key,
      scopes,
      issuer: 'tests',
      expiresInSeconds: lifetimeS,
      now: new Date(app.clock.now().getTime() - ageS * 1000),
      jti: app.ids.uuid(),
      merchantAccountId,
    });
}
