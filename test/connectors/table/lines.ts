import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that hold rows of facts: definitions, codes, words and lists. */
const TABLES = /(?:definitions|methods|rows|codes|refusals|names|words|hosts)[^/]*\.ts$/;

/** Lines of a connector, with its comments. */
export type Lines = { readonly model: number; readonly tables: number; readonly tests: number };

/** Counts the lines of a connector, of its tables, and of its double with its tests. Descriptions of providers are left out. */
export async function countLines(id: string): Promise<Lines> {
  const sources = await sizesOf(join('src/connectors', id));
  const tests = await sizesOf(join('test/connectors', id));
  return {
    model: sumOf(sources.filter(([file]) => !TABLES.test(file))),
    tables: sumOf(sources.filter(([file]) => TABLES.test(file))),
    tests: sumOf(tests),
  };
}

type Size = readonly [file: string, lines: number];

/** Empty without the folder: the sandbox has no double. */
async function sizesOf(folder: string): Promise<readonly Size[]> {
  if (!existsSync(folder)) return [];
  const files = await readdir(folder, { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts'));
  return await Promise.all(
    sources.map(async (file): Promise<Size> => {
      const text = await readFile(join(folder, file), 'utf8');
      return [file, text.split('\n').length - 1];
    }),
  );
}

const sumOf = (sizes: readonly Size[]): number => sizes.reduce((sum, [, lines]) => sum + lines, 0);
