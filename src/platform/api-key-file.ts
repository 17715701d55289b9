import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';

const schema = z.object({
  kid: z.string(),
  algorithm: z.enum(['es256', 'es512', 'eddsa', 'rs512']),
  privateKeyPem: z.string().refine(isPrivateKey),
});

/** The private half of an API key pair, as the sandbox keeps it: PKCS #8 PEM with the id of its public half. */
export type ApiKeyFile = Readonly<z.output<typeof schema>>;

const NAME = 'sandbox-api-key.json';

/** Where the file is in a data folder. */
export const apiKeyFilePath = (dataFolder: string): string => join(dataFolder, NAME);

/** Reads the file; null when there is none. Throws an OperatorError when it cannot be read or understood. */
export async function readApiKeyFile(dataFolder: string): Promise<ApiKeyFile | null> {
  const path = apiKeyFilePath(dataFolder);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw new OperatorError(`${path} cannot be read. Let this user read it, or remove it to get a new key.`);
  });
  if (text === null) return null;
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new OperatorError(`${path} is damaged. Remove it and start again to get a new key.`);
  return parsed.data;
}

/** Writes the file, for its owner's eyes only, whole or not at all. Replaces one that is there. The folder must exist. */
export async function writeApiKeyFile(dataFolder: string, key: ApiKeyFile): Promise<void> {
  const path = apiKeyFilePath(dataFolder);
  const fresh = `${path}.${randomUUID()}`;
  try {
    await writeFile(fresh, `${JSON.stringify(schema.parse(key), null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it.
    return null;
  }
}
