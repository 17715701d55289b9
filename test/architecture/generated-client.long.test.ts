import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const CLIENT = 'src/platform/generated/prisma';

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'paygraph-client-'));
});
afterAll(() => rm(scratch, { recursive: true }));

/** Reads every file below a folder. */
async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(async (path) => [path.slice(folder.length), await readFile(path, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

it('the committed Prisma client is the one that the models generate', async () => {
  await cp('prisma', join(scratch, 'prisma'), { recursive: true });
  const config = join(import.meta.dirname, '../../.config/prisma.ts');
  const schema = join(scratch, 'prisma');
  await promisify(execFile)('node_modules/.bin/prisma', [
    'generate',
    ...['--config', config, '--schema', schema, '--no-hints'],
  ]);

  const [committed, generated] = await Promise.all([filesIn(CLIENT), filesIn(join(scratch, CLIENT))]);

  expect(Object.keys(committed).length).toBeGreaterThan(30);
  const stale = Object.keys({ ...committed, ...generated }).filter(
    (path) => committed[path] !== generated[path],
  );
  // Run "npm run generate:client" and commit the result.
  expect(stale).toEqual([]);
});
