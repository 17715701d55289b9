/** Writes a Markdown table. A cell may hold Markdown, and a pipe in a cell is escaped. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const line = (cells: readonly (string | number | null)[]): string =>
    `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Writes a word as code. */
export const code = (word: string | number): string => `\`${word}\``;

/** The line at the top of every generated page. */
export const WRITTEN = '<!-- Written by `npm run docs`. Change the code, and run the command again. -->';
