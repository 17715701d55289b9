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

/** The private half of an API key pair, PKCS #8 PEM, with what a token must say of it. */
export type ProvisionedKey = {
  readonly kid: string;
  readonly algorithm: ApiKeyAlgorithm;
  readonly privateKeyPem: string;
};

/**
 * Makes the merchant account `default`, if there is none, and a key pair with every scope for every merchant account.
 * `kept` is what it answered before: it is answered again, and its public half is taken in again by a database that
 * does not know it; only one that was disabled or has expired is replaced. Keep the answer: nothing else has it. The
 * caller holds a lock, so that two processes do not make a key each; a crash leaves at most a pair that nobody can use.
 */
export async function provisionApiKey(app: App, kept: ProvisionedKey | null = null): Promise<ProvisionedKey> {
  const now = app.clock.now();
  await insertMerchantAccountIfAbsent(app.db, {
    id: DEFAULT_MERCHANT_ACCOUNT,
    displayName: 'Default',
    overCaptureAmount: null,
    overCapturePercentage: null,
    createdAt: now,
    updatedAt: now,
  });
  const key = kept && publicHalf(kept.privateKeyPem);
  const known = key && (await findVerifyingKey(app.db, await thumbprintOf(key)));
  if (kept && known && isUsable(known, now)) return kept;
  if (kept && key && !known) {
    await insertKey(app, key);
    return kept;
  }
  const { privateKeyPem, ...fresh } = await generateKey('es512');
  return { kid: await insertKey(app, fresh), algorithm: fresh.algorithm, privateKeyPem };
}

/** Answers the thumbprint. */
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
