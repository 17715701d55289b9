import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };

const execute = promisify(execFile);

/** Builds and packs beside the repository, because other tests read the folder `build`. Returns the packed file. */
export async function pack(source: string): Promise<string> {
  await execute(process.execPath, ['.config/build-package.mjs', join(source, 'build')]);
  const { files } = packageJson;
  const further = ['package.json', 'README.md', 'LICENSE', ...files.filter((path) => path !== 'build')];
  for (const path of [...further, 'build/dashboard']) await cp(path, join(source, path), { recursive: true });
  const { stdout } = await execute('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: source });
  return join(source, stdout.trim());
}
