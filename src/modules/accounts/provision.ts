import type { App } from '../../app.ts';
import { isUsable } from './api-key-pair.ts';
import {
  generateKey,
  publicHalf,
  thumbprintOf,
  type ApiKeyAlgorithm,
  type PublicKey,
} from './key-material.ts';
import { forgetKey } from './known-keys.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from './merchant-account.ts';
import { ALL_SCOPES } from './scopes.ts';
import { findVerifyingKey, insertApiKeyPair, insertMerchantAccountIfAbsent } from './store.ts';

/** The private key of an API key pair as PKCS #8 PEM, with its `kid` and algorithm. */
export type ProvisionedKey = {
  readonly kid: string;
  readonly algorithm: ApiKeyAlgorithm;
  readonly privateKeyPem: string;
};

/**
 * Creates the merchant account `default` if it is missing, and a key pair with every scope for every merchant account.
 *
 * `stored` is the result of an earlier call. The function returns `stored` again, and inserts its public key into a
 * database that lacks the key. Only a disabled or expired key is replaced. The caller must store the result, because
 * the service does not.
 *
 * The caller holds a lock, so that two processes do not create a key each. A crash leaves at most a pair that nobody
 * can use.
 */
export async function provisionApiKey(
  app: App,
  stored: ProvisionedKey | null = null,
): Promise<ProvisionedKey> {
  const now = app.clock.now();
  await insertMerchantAccountIfAbsent(app.db, {
    id: DEFAULT_MERCHANT_ACCOUNT,
    displayName: 'Default',
    overCaptureAmount: null,
    overCapturePercentage: null,
    createdAt: now,
    updatedAt: now,
  });
  const key = stored && publicHalf(stored.privateKeyPem);
  const known = key && (await findVerifyingKey(app.db, await thumbprintOf(key)));
  if (stored && known && isUsable(known, now)) return stored;
  if (stored && key && !known) {
    await insertKey(app, key);
    return stored;
  }
  const { privateKeyPem, ...fresh } = await generateKey('es512');
  return { kid: await insertKey(app, fresh), algorithm: fresh.algorithm, privateKeyPem };
}

/** Inserts the key and returns its thumbprint. */
async function insertKey(app: App, key: PublicKey): Promise<string> {
  const now = app.clock.now();
  const thumbprint = await thumbprintOf(key);
  const pair = {
    id: app.ids.uuid(),
    displayName: 'First key',
    thumbprint,
    algorithm: key.algorithm,
    scopes: ALL_SCOPES,
    merchantAccountIds: [],
    active: true,
    expiresAt: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await app.db.transaction((tx) => insertApiKeyPair(tx, pair, key));
  forgetKey(app, thumbprint);
  return thumbprint;
}
