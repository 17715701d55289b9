import type { App } from '../../app.ts';
import { isUsable, type ApiKeyPair } from './model/api-key-pair.ts';
import {
  generateKey,
  publicHalf,
  thumbprintOf,
  type ApiKeyAlgorithm,
  type PublicKey,
} from './model/key-material.ts';
import { forgetKey } from './api-keys/known-keys.ts';
import { DEFAULT_MERCHANT_ACCOUNT, type MerchantAccount } from './model/merchant-account.ts';
import { ALL_SCOPES } from './model/scopes.ts';
import { findActiveKey, findVerifyingKey, insertApiKeyPair, insertMerchantAccountIfAbsent } from './store.ts';

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
  await provisionMerchantAccount(app, { id: DEFAULT_MERCHANT_ACCOUNT, displayName: 'Default' });
  const now = app.clock.now();
  const key = stored && publicHalf(stored.privateKeyPem);
  const known = key && (await findVerifyingKey(app.db, await thumbprintOf(key)));
  if (stored && known && isUsable(known, now)) return stored;
  if (stored && key && !known) {
    await insertKey(app, key);
    return stored;
  }
  const { key: fresh, publicKey } = await generateProvisionedKey();
  await insertKey(app, publicKey);
  return fresh;
}

/** Creates a merchant account without limits unless its id exists. Writes no event, because nobody can listen yet. */
export async function provisionMerchantAccount(
  app: App,
  { id, displayName }: Pick<MerchantAccount, 'id' | 'displayName'>,
): Promise<void> {
  const now = app.clock.now();
  await insertMerchantAccountIfAbsent(app.db, {
    id,
    displayName,
    overCaptureAmount: null,
    overCapturePercentage: null,
    allowsCardLikeIdentifiers: false,
    lateAuthorizations: 'release',
    createdAt: now,
    updatedAt: now,
  });
}

/** Generates a key pair and stores nothing. The caller writes the private key down, then imports the public key. */
export async function generateProvisionedKey(): Promise<{
  readonly key: ProvisionedKey;
  readonly publicKey: PublicKey;
}> {
  const { privateKeyPem, ...publicKey } = await generateKey('es512');
  const kid = await thumbprintOf(publicKey);
  return { key: { kid, algorithm: publicKey.algorithm, privateKeyPem }, publicKey };
}

/**
 * Stores a public key with every scope for every merchant account, unless the database has the key. Returns the key's
 * thumbprint. Commits once.
 */
export async function importKey(
  app: App,
  key: PublicKey,
): Promise<{ readonly kid: string; readonly isNew: boolean }> {
  const kid = await thumbprintOf(key);
  if (await findVerifyingKey(app.db, kid)) return { kid, isNew: false };
  await insertKey(app, key);
  return { kid, isNew: true };
}

/** Returns a key pair that is usable now, the oldest one first. Null when nobody can sign a token. */
export const findUsableKey = (app: App): Promise<Pick<ApiKeyPair, 'displayName' | 'thumbprint'> | null> =>
  findActiveKey(app.db, app.clock.now());

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
    tokensNotBefore: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await app.db.transaction((tx) => insertApiKeyPair(tx, pair, key));
  forgetKey(app, thumbprint);
  return thumbprint;
}
