import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PreparedText } from '../../src/platform/database/statement.ts';

/** The folder of the listing: one file for each prepared statement. */
export const LISTING = join('test', 'statements');

const SOURCES = 'src';

/** Imports every source file with prepared statements. Returns the files of the listing: name -> content. */
export async function makeListing(): Promise<ReadonlyMap<string, string>> {
  const paths = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
    .map((path) => join(SOURCES, path));
  for (const path of paths)
    if (/\bprepare\(/.test(readFileSync(path, 'utf8'))) await import(pathToFileURL(resolve(path)).href);
  const { preparedTexts } = await import('../../src/platform/database/statement.ts');
  return new Map(preparedTexts().map((statement) => [`${statement.name}.sql`, render(statement)]));
}

/** Formats the parameters as a comment, and the text as sent, without the empty lines around it. */
function render({ text, parameters }: PreparedText): string {
  const names = parameters.map((name, index) => `$${index + 1} ${name}`).join(', ');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return `${names === '' ? '' : `-- ${names}\n`}${withoutIndent(lines).join('\n')}\n`;
}

function withoutIndent([first = '', ...rest]: readonly string[]): readonly string[] {
  const indents = rest.map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents, Infinity);
  const own = Math.min(first.length - first.trimStart().length, common);
  return [first.slice(own), ...rest.map((line) => line.slice(common).trimEnd())];
}

/** Reads the committed listing. */
export const readListing = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(LISTING)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => [name, readFileSync(join(LISTING, name), 'utf8')]),
  );
