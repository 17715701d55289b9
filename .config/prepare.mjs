// Makes what a clone needs beside its packages: the Prisma client, the program `npx paygraph`, and the dashboard. The end of
// `npm ci` runs this script. An installation without the packages for development gets the program alone.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PROGRAMS = join(ROOT, 'node_modules', '.bin');

/** Links the program, because npm links those of dependencies alone. Windows starts no program by a link. */
function linkProgram() {
  if (process.platform === 'win32') return;
  mkdirSync(PROGRAMS, { recursive: true });
  rmSync(join(PROGRAMS, 'paygraph'), { force: true });
  symlinkSync('../../src/cli/paygraph.cjs', join(PROGRAMS, 'paygraph'));
}

const npmRun = (script) =>
  execFileSync('npm', ['run', '--silent', script], {
    cwd: ROOT,
    // A person who installs Paygraph reads errors alone. A failure prints what the script wrote.
    stdio: 'pipe',
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });

/** Removes the headers of Node, 70 MB. They compile native addons, and Paygraph brings none to compile. */
function removeHeaders() {
  const inside = join(ROOT, 'node_modules/node/node_modules');
  for (const path of globSync('node-*/include', { cwd: inside }))
    rmSync(join(inside, path), { recursive: true });
}

/** The compiler of Prisma's queries that the database client loads. */
const COMPILER = 'query_compiler_small_bg.postgresql.';

/** Removes the compilers of Prisma's queries that nothing here loads, 90 MB: all but one. */
function removeCompilers() {
  const inside = join(ROOT, 'node_modules');
  for (const folder of ['@prisma/client/runtime', 'prisma-cli/build'])
    for (const name of globSync('query_compiler_*', { cwd: join(inside, folder) }))
      if (!name.startsWith(COMPILER)) rmSync(join(inside, folder, name));
}

linkProgram();
removeHeaders();
removeCompilers();
if (existsSync(join(ROOT, 'node_modules', 'prisma-cli'))) {
  npmRun('generate:client');
  npmRun('dashboard');
} else {
  process.stderr.write(
    'The database client and the dashboard are not made: that needs the packages for development. ' +
      'Run "npm ci", then "npm prune --omit=dev".\n',
  );
}
