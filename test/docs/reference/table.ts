import { readFile } from 'node:fs/promises';

/** Writes a Markdown table. A cell may hold Markdown, and a pipe in a cell is escaped. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const line = (cells: readonly (string | number | null)[]): string =>
    `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A table that the code writes into a page of other words, with the line above it. */
const BLOCK = /(<!-- Written by `npm run (?:docs|contracts)`. -->\n\n)(?:\|.*\n)+/g;

/** Returns a page with a new table in its place. The other words stay. */
export const withTable = (path: string, written: string): Promise<string> => withTables(path, [written]);

/** Returns a page with new tables in their places, in order. The other words stay. */
export async function withTables(path: string, written: readonly string[]): Promise<string> {
  const page = await readFile(path, 'utf8');
  const places = [...page.matchAll(BLOCK)].length;
  if (places !== written.length)
    throw new Error(`${path} has ${places} places for tables, and not ${written.length}.`);
  const left = [...written];
  return page.replaceAll(BLOCK, (_, start: string) => `${start}${left.shift()}\n`);
}

/** Writes a word as code. */
export const code = (word: string | number): string => `\`${word}\``;

/** The line at the top of every generated page. */
export const WRITTEN = '<!-- Written by `npm run docs`. Change the code, and run the command again. -->';
