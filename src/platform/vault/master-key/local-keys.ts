import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Ids } from '../../ids.ts';
import { decrypt, encrypt, IV_BYTES } from '../aead.ts';
import { changedKey, missingKey, type KeyProvider } from './key-provider.ts';
import { MASTER_KEY_BYTES } from '../../process/master-key.ts';

export type LocalKeys = {
  /** Keys of 32 bytes. The first wraps, and all unwrap. */
  readonly masterKeys: readonly [Buffer, ...Buffer[]];
  readonly ids: Ids;
};

/** Creates a provider with key-encryption keys in this process's memory. */
export function localKeyProvider({ masterKeys, ids }: LocalKeys): KeyProvider {
  const keys = new Map(masterKeys.map(named));
  const [currentKeyId, current] = named(masterKeys[0]);
  const provider: KeyProvider = {
    currentKeyId: async () => currentKeyId,
    holds: (keyId) => keys.has(keyId),
    wrap: async (dataKey, place) => ({
      keyId: currentKeyId,
      wrapped: encrypt(current, place, dataKey, ids.random(IV_BYTES)),
    }),
    unwrap: async ({ keyId, wrapped }, place) => {
      const key = keys.get(keyId);
      if (!key) throw await missingKey(provider, keyId);
      const dataKey = decrypt(key, place, wrapped);
      if (!dataKey) throw changedKey();
      return dataKey;
    },
  };
  return provider;
}

/** Returns a key with its name. The name is a keyed digest, which reveals nothing of the key. */
function named(masterKey: Buffer): readonly [id: string, key: KeyObject] {
  if (masterKey.length !== MASTER_KEY_BYTES)
    throw new Error(`The master key must be ${MASTER_KEY_BYTES} bytes.`);
  const key = createSecretKey(masterKey);
  return [`local-${createHmac('sha256', key).update('key id').digest('hex').slice(0, 16)}`, key];
}
