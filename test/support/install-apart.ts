import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LOCK = 'package-lock.json';
/** A copy of the lock file that the installed packages follow. */
const INSTALLED_LOCK = 'node_modules/.installed-lock.json';

/** The most milliseconds that an installation may take. */
export const INSTALL_MS = 600_000;

/**
 * Installs the packages of a folder with its own lock file, unless the installed packages follow that file already.
 * Installs beside the folder first. So a killed run leaves nothing half-installed, and two runs at once do not meet.
 */
export async function installApart(folder: string): Promise<void> {
  if (await isInstalled(folder)) return;
  const scratch = await mkdtemp(join(folder, '.install-'));
  try {
    for (const file of ['package.json', LOCK, '.npmrc'])
      await copyFile(join(folder, file), join(scratch, file));
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-progress'], { cwd: scratch });
    await copyFile(join(scratch, LOCK), join(scratch, INSTALLED_LOCK));
    if (await isInstalled(folder)) return;
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    await rename(join(scratch, 'node_modules'), join(folder, 'node_modules'));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function isInstalled(folder: string): Promise<boolean> {
  const read = (file: string) => readFile(join(folder, file), 'utf8').catch(() => null);
  return (await read(LOCK)) === (await read(INSTALLED_LOCK));
}
