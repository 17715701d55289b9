import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };

export type Results = {
  readonly name: string;
  readonly what: string;
  readonly command: string;
  readonly figures: string;
};

const FILE = new URL('RESULTS.md', import.meta.url);

const TITLE = `# Figures

Each section is what one run of one bench printed. Compare figures within a section only: limits and peers were measured in
the same run, on the same machine, taking turns.
`;

/** Puts a bench's figures into the file in place of its former ones, and answers the file's name. */
export async function saveResults({ name, what, command, figures }: Results): Promise<string> {
  const before = await readFile(FILE, 'utf8').catch(() => TITLE);
  const [title = TITLE, ...sections] = before.split(/^(?=## )/m);
  const section = `## ${name}\n\n${what[0]?.toUpperCase()}${what.slice(1)}. ${circumstances(command)}\n\n${figures}\n`;
  const others = sections.filter((each) => !each.startsWith(`## ${name}\n`));
  const all = [...others, section].sort();
  await writeFile(FILE, [title.trimEnd(), ...all.map((each) => each.trimEnd())].join('\n\n') + '\n');
  return 'test/bench/RESULTS.md';
}

/** The command with the day, the versions and the machine of its run, as a sentence. */
export function circumstances(command: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return (
    `\`${command}\` on ${day}, Paygraph ${packageJson.version}, Node ${process.versions.node}, ` +
    `${process.platform} ${process.arch} with ${availableParallelism()} cores.`
  );
}

/** A Markdown table; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 3));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
