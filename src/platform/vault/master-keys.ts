import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Ids } from '../ids.ts';
import { OperatorError } from '../operator-error.ts';
import { MASTER_KEY_BYTES } from './local-keys.ts';

const FILE = 'master.key';

/**
 * The keys, 32 bytes each, that encrypt data keys; the first one is used for new ones, the others are former ones. The
 * first is PAYGRAPH_MASTER_KEY, or in the sandbox the first line of the file `master.key` of the data folder, made at the
 * first start; the others are the further lines and PAYGRAPH_MASTER_KEY_PREVIOUS. Processes that start at once all get
 * the same file. Losing it loses what was sealed.
 */
export async function readMasterKeys(config: Config, ids: Ids): Promise<readonly [Buffer, ...Buffer[]]> {
  const former = config.PAYGRAPH_MASTER_KEY_PREVIOUS.map(decode);
  if (config.PAYGRAPH_MASTER_KEY) return [decode(config.PAYGRAPH_MASTER_KEY), ...former];
  if (config.production) throw new OperatorError('PAYGRAPH_MASTER_KEY: required in production');
  const path = join(config.PAYGRAPH_DATA_DIR, FILE);
  const text = (await readIfThere(path)) ?? (await makeFile(config.PAYGRAPH_DATA_DIR, ids));
  return [...parseFile(path, text), ...former];
}

/** The same for who no longer wraps by them: no file is made, and there may be no key at all. */
export async function readFormerMasterKeys(config: Config): Promise<readonly Buffer[]> {
  const given = [config.PAYGRAPH_MASTER_KEY, ...config.PAYGRAPH_MASTER_KEY_PREVIOUS];
  const keys = given.filter((text) => text !== undefined).map(decode);
  const path = join(config.PAYGRAPH_DATA_DIR, FILE);
  const text = config.production ? null : await readIfThere(path);
  return text === null ? keys : [...keys, ...parseFile(path, text)];
}

const decode = (text: string): Buffer => Buffer.from(text, 'base64');

function parseFile(path: string, text: string): readonly [Buffer, ...Buffer[]] {
  const [first, ...others] = text.trim().split(/\s+/).map(decode);
  if (first && [first, ...others].every(({ length }) => length === MASTER_KEY_BYTES))
    return [first, ...others];
  throw new OperatorError(
    `${path} is not a master key: each of its lines must hold ${MASTER_KEY_BYTES} bytes in base64.`,
  );
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
