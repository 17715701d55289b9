import { createHmac, createSecretKey } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Ids } from '../ids.ts';
import { OperatorError } from '../operator-error.ts';
import { decrypt, encrypt, IV_BYTES } from './aead.ts';

/**
 * Keeps the key-encryption key: a local one here, a key management service elsewhere. `place` says whose data key it
 * is and is bound into the wrapped text, so that a data key cannot be moved to another merchant account.
 */
export type KeyProvider = {
  /** Names the key that `wrap` uses; kept beside each wrapped key. */
  readonly currentKeyId: string;
  wrap(dataKey: Buffer, place: readonly string[]): Promise<string>;
  /** Throws when it does not have the key of this id, or the text was changed or made for another place. */
  unwrap(keyId: string, wrapped: string, place: readonly string[]): Promise<Buffer>;
};

/** A key-encryption key in this process's memory. `masterKey` must be 32 bytes. */
export function localKeyProvider({ masterKey, ids }: { masterKey: Buffer; ids: Ids }): KeyProvider {
  if (masterKey.length !== MASTER_KEY_BYTES)
    throw new Error(`The master key must be ${MASTER_KEY_BYTES} bytes.`);
  const key = createSecretKey(masterKey);
  // A keyed digest names the key without telling anything of it.
  const currentKeyId = `local-${createHmac('sha256', key).update('key id').digest('hex').slice(0, 16)}`;
  return {
    currentKeyId,
    wrap: async (dataKey, place) => encrypt(key, place, dataKey, ids.random(IV_BYTES)),
    unwrap: async (keyId, wrapped, place) => {
      if (keyId !== currentKeyId) {
        throw new OperatorError(
          `A data key was wrapped by key ${keyId}, but the master key given is ${currentKeyId}. Start with the former master key.`,
        );
      }
      const dataKey = decrypt(key, place, wrapped);
      if (!dataKey)
        throw new Error('A wrapped data key was changed, or belongs to another merchant account.');
      return dataKey;
    },
  };
}

const MASTER_KEY_BYTES = 32;
const FILE = 'master.key';

/**
 * The 32 bytes that encrypt the data keys: PAYGRAPH_MASTER_KEY, or in the sandbox the file `master.key` of the data
 * folder, made at the first start. Processes that start at once all get the same one. Losing the file loses what was sealed.
 */
export async function readMasterKey(config: Config, ids: Ids): Promise<Buffer> {
  if (config.PAYGRAPH_MASTER_KEY) return Buffer.from(config.PAYGRAPH_MASTER_KEY, 'base64');
  if (config.production) throw new OperatorError('PAYGRAPH_MASTER_KEY: required in production');
  const path = join(config.PAYGRAPH_DATA_DIR, FILE);
  const text = (await readIfThere(path)) ?? (await makeFile(config.PAYGRAPH_DATA_DIR, ids));
  const key = Buffer.from(text, 'base64');
  if (key.length !== MASTER_KEY_BYTES) {
    throw new OperatorError(`${path} is not a master key: it must hold ${MASTER_KEY_BYTES} bytes in base64.`);
  }
  return key;
}

/** A whole file is linked to its name in one step: nobody reads half a key, and of several makers one wins. */
async function makeFile(folder: string, ids: Ids): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, FILE);
  const draft = `${path}.${ids.random(8).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${ids.random(MASTER_KEY_BYTES).toString('base64')}\n`);
    await file.sync();
    await link(draft, path).catch(ignore('EEXIST'));
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
  return await readFile(path, 'utf8');
}

const readIfThere = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(ignore('ENOENT'));

const ignore =
  (code: string) =>
  (error: NodeJS.ErrnoException): null => {
    if (error.code === code) return null;
    throw error;
  };
