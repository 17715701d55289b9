import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { parseJson } from '../../kernel/json.ts';

const schema = z.object({
  kid: z.string(),
  algorithm: z.enum(['es256', 'es512', 'eddsa', 'rs512']),
  privateKeyPem: z.string().refine(isPrivateKey),
});

/** A private API key: PKCS #8 PEM with the id of its public key. */
export type ApiKeyFile = Readonly<z.output<typeof schema>>;

/** Returns the path of the sandbox's file in its data folder. */
export const sandboxKeyPath = (dataFolder: string): string => join(dataFolder, 'sandbox-api-key.json');

/** The file that the setup of a production installation writes by default, in the working folder. */
export const PRODUCTION_KEY_FILE = 'paygraph-api-key.json';

/** Reads the file. Null when it is missing. Throws an OperatorError when the file is unreadable or damaged. */
export async function readApiKeyFile(path: string): Promise<ApiKeyFile | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw new OperatorError(
      `${path} cannot be read. Allow this user to read the file, or remove the file to get a new key.`,
    );
  });
  if (text === null) return null;
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new OperatorError(`${path} is damaged. Remove the file and start again to get a new key.`);
  return parsed.data;
}

/** Writes the file atomically, readable by its owner only. Replaces an existing file. The folder must exist. */
export async function writeApiKeyFile(path: string, key: ApiKeyFile): Promise<void> {
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
