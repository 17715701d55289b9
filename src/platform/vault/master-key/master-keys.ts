import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../process/config.ts';
import type { Ids } from '../../ids.ts';
import { OperatorError } from '../../operator-error.ts';
import { decodeMasterKey, MASTER_KEY_BYTES } from '../../process/master-key.ts';

const FILE = 'master.key';

/**
 * Returns the keys of 32 bytes that encrypt data keys. The first encrypts new ones, and the others are former keys.
 *
 * - The first key is PAYGRAPH_MASTER_KEY. A sandbox without it uses the first line of the file `master.key` in the data
 *   folder. The first start creates the file.
 * - The others are the file's further lines and PAYGRAPH_MASTER_KEY_PREVIOUS.
 *
 * Processes that start at once get the same file. Losing the file loses all sealed values.
 */
export async function readMasterKeys(config: Config, ids: Ids): Promise<readonly [Buffer, ...Buffer[]]> {
  const former = config.PAYGRAPH_MASTER_KEY_PREVIOUS.map(decodeMasterKey);
  if (config.PAYGRAPH_MASTER_KEY) return [decodeMasterKey(config.PAYGRAPH_MASTER_KEY), ...former];
  if (config.production) throw new OperatorError('PAYGRAPH_MASTER_KEY: required in production');
  const path = join(config.PAYGRAPH_DATA_DIR, FILE);
  const text = (await readIfThere(path)) ?? (await makeFile(config.PAYGRAPH_DATA_DIR, ids));
  return [...parseFile(path, text), ...former];
}

/** Returns all local keys when another provider wraps. Creates no file. The list may be empty. */
export async function readFormerMasterKeys(config: Config): Promise<readonly Buffer[]> {
  const given = [config.PAYGRAPH_MASTER_KEY, ...config.PAYGRAPH_MASTER_KEY_PREVIOUS];
  const keys = given.filter((text) => text !== undefined).map(decodeMasterKey);
  const path = join(config.PAYGRAPH_DATA_DIR, FILE);
  const text = config.production ? null : await readIfThere(path);
  return text === null ? keys : [...keys, ...parseFile(path, text)];
}

function parseFile(path: string, text: string): readonly [Buffer, ...Buffer[]] {
  const [first, ...others] = text.trim().split(/\s+/).map(decodeMasterKey);
  if (first && [first, ...others].every(({ length }) => length === MASTER_KEY_BYTES))
    return [first, ...others];
  throw new OperatorError(
    `${path} is not a master key. Each of its lines must hold ${MASTER_KEY_BYTES} bytes in base64.`,
  );
}

/**
 * Creates the file. A complete draft is linked to its name in one step. Nobody reads half a key, and one of several
 * creators wins.
 */
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
