import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILT_DASHBOARD } from '../../src/http/dashboard/files.ts';
import { withFolderLock } from '../../src/platform/postgres/folder-lock.ts';

/** Builds the dashboard unless the build is newer than its sources. Two workers at once build it once. */
export const requireBuilt = (): Promise<void> =>
  withFolderLock(join(tmpdir(), 'paygraph-dashboard.lock'), async () => {
    const built = await stat(join(BUILT_DASHBOARD, 'index.html')).catch(() => null);
    if (built && built.mtimeMs > (await newestOf('src/dashboard'))) return;
    await promisify(execFile)('npm', ['run', '--silent', 'dashboard']);
  });

async function newestOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
  return Math.max(...times);
}
