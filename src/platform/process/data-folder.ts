import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';

/**
 * Creates the data folder if it is missing, and returns its absolute path. Refuses a file, and a folder that
 * this user cannot write to.
 *
 * Other users may pass through the folder, so that Postgres can run as another user. Each file has its own
 * permissions.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    // The dot makes the name of a file fail.
    await access(`${folder}/.`, constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR')
      throw new OperatorError(
        `The data folder ${folder} is a file, or lies below one. Set PAYGRAPH_DATA_DIR to a folder.`,
      );
    throw unusableDataFolder(folder, errorCode(error) ?? String(error));
  }
}

/** Returns the refusal of a data folder. */
export const unusableDataFolder = (folder: string, reason: string): OperatorError =>
  new OperatorError(
    `The data folder ${folder} cannot be used (${reason}). Give this user the right to write to it, ` +
      'or set PAYGRAPH_DATA_DIR to another folder.',
  );

/**
 * Creates folders one by one. Node's recursive function never ends below a file system without folders, such as /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  if (await exists(folder)) return;
  if (!(await exists(dirname(folder)))) await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o711 }).catch(unless('EEXIST'));
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(unless('ENOENT'))) !== null;

/** Returns a handler that turns a failure with this code into null. */
const unless =
  (code: string) =>
  (error: unknown): null => {
    if (errorCode(error) === code) return null;
    throw error;
  };
