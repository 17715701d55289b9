import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = 'src';

/** Returns a statement on one line, as a pattern expects a statement. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('( ', '(');

/** Imports every source file that prepares statements. Returns the text of each statement by its name, as Postgres gets the text. */
export async function readPrepared(): Promise<ReadonlyMap<string, string>> {
  const paths = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
    .map((path) => join(SOURCES, path));
  for (const path of paths)
    if (/\bprepare(File)?\(/.test(readFileSync(path, 'utf8')))
      await import(pathToFileURL(resolve(path)).href);
  const { preparedTexts } = await import('../../src/platform/database/statement.ts');
  return new Map(preparedTexts().map(({ name, text }) => [name, text]));
}
