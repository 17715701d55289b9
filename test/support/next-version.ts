import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FORMER_RELEASE } from '../../src/platform/migrate/releases.ts';
import { VERSION } from '../../src/platform/process/version.ts';

/** The release after this one, as an operator would install it. */
export type NextVersion = { readonly folder: string; remove(): Promise<void> };

/** The migrations of the next version: a column of the largest table, and an index while others write. */
const MIGRATIONS = {
  '20990101000000_next_column': 'ALTER TABLE "transaction" ADD COLUMN "next_version" text;',
  '20990101000001_next_index':
    'CREATE INDEX CONCURRENTLY "transaction_next_version_idx" ON "transaction" ("next_version");',
} as const;

/**
 * Makes the next version from a copy of this one. It has two migrations more, and lets this version go on. The folder lies outside
 * the project.
 */
export async function makeNextVersion(): Promise<NextVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-next-'));
  for (const name of ['src', 'prisma', 'schema', 'package.json'])
    await cp(name, join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'build']) await symlink(resolve(name), join(folder, name));
  for (const [name, script] of Object.entries(MIGRATIONS)) {
    const own = join(folder, 'prisma', 'migrations', name);
    await mkdir(own);
    await writeFile(join(own, 'migration.sql'), script);
  }
  await replaceIn(join(folder, 'package.json'), `"version": "${VERSION}"`, '"version": "99.0.0"');
  await replaceIn(
    join(folder, 'src/platform/migrate/releases.ts'),
    `FORMER_RELEASE = '${FORMER_RELEASE}'`,
    `FORMER_RELEASE = '${VERSION}'`,
  );
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function replaceIn(file: string, text: string, by: string): Promise<void> {
  const before = await readFile(file, 'utf8');
  if (!before.includes(text)) throw new Error(`${file} has no ${text}.`);
  await writeFile(file, before.replace(text, by));
}
