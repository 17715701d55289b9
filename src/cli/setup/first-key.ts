import { readFile } from 'node:fs/promises';
import type { App } from '../../app.ts';
import {
  findUsableKey,
  generateProvisionedKey,
  importKey,
  publicHalf,
  readPublicKey,
  type PublicKey,
} from '../../modules/accounts/index.ts';
import { readApiKeyFile, writeApiKeyFile } from '../../platform/process/api-key-file.ts';
import { UsageError } from '../exit-code.ts';

/** The wanted first key: the operator's public key, or a new key pair with its private key in a file. */
export type WantedKey = { readonly publicKey: PublicKey | null; readonly keyFile: string };

/** The result for the first key. `file` holds the private key, if the setup made or found one. */
export type FirstKey = {
  readonly sentence: string;
  readonly kid: string;
  /** True if this setup stored the key. */
  readonly isNew: boolean;
  readonly file: string | null;
};

/** Reads the operator's public key from a file, or else from PAYGRAPH_SETUP_PUBLIC_KEY. Null when neither is given. */
export async function readOperatorKey(
  path: string | undefined,
  variable: string | undefined,
): Promise<PublicKey | null> {
  const source = path === undefined ? 'PAYGRAPH_SETUP_PUBLIC_KEY' : `--public-key ${path}`;
  // Some tools cannot set a variable of several lines.
  const pem = path === undefined ? variable?.replaceAll(String.raw`\n`, '\n') : await readText(path);
  if (pem === undefined || pem.trim() === '') return null;
  const key = readPublicKey(pem);
  if ('refused' in key) throw new UsageError(`${source}: ${key.refused}`);
  return key;
}

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`--public-key: the file ${path} cannot be read.`);
  });

/**
 * Stores the first key unless the database has a usable key. A new private key is written to its file before the public
 * key is stored. A crash between leaves the file, and the next run continues with it. Never replaces a file.
 */
export async function setUpKey(app: App, { publicKey, keyFile }: WantedKey): Promise<FirstKey> {
  if (publicKey) {
    const { kid, isNew } = await importKey(app, publicKey);
    return {
      sentence: `${isNew ? 'Stored your public key' : 'Your public key was stored before'}: ${kid}`,
      ...{ kid, isNew, file: null },
    };
  }
  const written = await readApiKeyFile(keyFile);
  if (written) {
    const { kid, isNew } = await importKey(app, publicHalf(written.privateKeyPem));
    return {
      sentence: `The key in ${keyFile} ${isNew ? 'is stored now' : 'was stored before'}`,
      ...{ kid, isNew, file: keyFile },
    };
  }
  const usable = await findUsableKey(app);
  if (usable)
    return {
      sentence: `A key exists already: ${usable.displayName}, ${usable.thumbprint}`,
      ...{ kid: usable.thumbprint, isNew: false, file: null },
    };
  const { key, publicKey: fresh } = await generateProvisionedKey();
  await writeApiKeyFile(keyFile, key);
  const { kid, isNew } = await importKey(app, fresh);
  return {
    sentence: `Made a key pair. Its private key is in ${keyFile}, readable by you alone`,
    ...{ kid, isNew, file: keyFile },
  };
}
