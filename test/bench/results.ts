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

Each section is the output of one run of one bench. Compare figures within a section only. Limits and peers ran in turn
with Paygraph, in the same run and on the same machine.
`;

/** Replaces a bench's figures in the file. Returns the file's name. */
export async function saveResults({ name, what, command, figures }: Results): Promise<string> {
  const before = await readFile(FILE, 'utf8').catch(() => TITLE);
  const [title = TITLE, ...sections] = before.split(/^(?=## )/m);
  const section = `## ${name}\n\n${what[0]?.toUpperCase()}${what.slice(1)}. ${circumstances(command)}\n\n${figures}\n`;
  const others = sections.filter((each) => !each.startsWith(`## ${name}\n`));
  const all = [...others, section].sort();
  await writeFile(FILE, [title.trimEnd(), ...all.map((each) => each.trimEnd())].join('\n\n') + '\n');
  return 'test/bench/RESULTS.md';
}

/** Returns the section of a bench in the file. Throws if there is none. */
export async function sectionOf(name: string): Promise<string> {
  const sections = (await readFile(FILE, 'utf8')).split(/^(?=## )/m);
  const found = sections.find((each) => each.startsWith(`## ${name}\n`));
  if (found === undefined) throw new Error(`RESULTS.md has no section ${name}.`);
  return found;
}

/** Returns a sentence with the command, the day, the versions and the machine. */
export function circumstances(command: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return (
    `The command \`${command}\` ran on ${day} with Paygraph ${packageJson.version}, Node ${process.versions.node}, ` +
    `${process.platform} ${process.arch} and ${availableParallelism()} cores.`
  );
}

/** Formats a Markdown table. The first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 3));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
