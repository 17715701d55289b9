import type { App } from '../../src/app.ts';
import { mintToken, provisionApiKey } from '../../src/modules/accounts/index.ts';

export type MintOptions = {
  /** The default is every scope. */
  readonly scopes?: readonly string[];
  /** The default is an hour. */
  readonly lifetimeS?: number;
  /** The age of the token in seconds. The default is 0. */
  readonly ageS?: number;
  /** Ties the token to one merchant account. */
  readonly merchantAccountId?: string;
  /** The claim `sub`. */
  readonly subject?: string;
};

/** Signs a token. */
export type Mint = (options?: MintOptions) => Promise<string>;

/** Creates the merchant account `default` and an API key with every right. Signs tokens with this key. */
export async function createMint(app: App): Promise<Mint> {
  const key = await provisionApiKey(app);
  return ({ scopes = ['*.read', '*.write'], lifetimeS = 3600, ageS = 0, merchantAccountId, subject } = {}) =>
    mintToken({
      ...key,
      scopes,
      issuer: 'tests',
      expiresInSeconds: lifetimeS,
      now: new Date(app.clock.now().getTime() - ageS * 1000),
      jti: app.ids.uuid(),
      merchantAccountId,
      subject,
    });
}
