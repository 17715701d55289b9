import type { Viewer } from '../../src/app.ts';

/** Returns a viewer of a merchant account with every right. */
export const viewerOf = (merchantAccountId: string): Viewer => ({
  merchantAccountId,
  scopes: ['*.read', '*.write'],
  apiKeyPairId: '018f0000-0000-7000-8000-000000000001',
  reachableMerchantAccountIds: [],
  tokenExpiresAt: new Date('2100-01-01T00:00:00Z'),
});
