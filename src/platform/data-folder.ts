import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Makes the data folder if it is not there and answers its absolute path; refuses one that this user cannot write to.
 * Others may pass through it, so that Postgres can when it runs as another user: each file in it has rights of its own.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw unusableDataFolder(folder, errorCode(error) ?? String(error));
  }
}

/** Why a data folder is refused. */
export const unusableDataFolder = (folder: string, reason: string): OperatorError =>
  new OperatorError(
    `The data folder ${folder} cannot be used (${reason}). Give this user the right to write to it, ` +
      'or set PAYGRAPH_DATA_DIR to another folder.',
  );

/** Not Node's recursive one: that never ends below a file system which takes no folders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (await exists(folder)) return;
  if (!(await exists(dirname(folder)))) await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o711 }).catch(unless('EEXIST'));
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(unless('ENOENT'))) !== null;

/** Takes a failure with this code for an answer. */
const unless =
  (code: string) =>
  (error: unknown): null => {
    if (errorCode(error) === code) return null;
    throw error;
  };
