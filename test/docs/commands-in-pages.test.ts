import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createProgram } from '../../src/cli/program.ts';

/** A command that a page tells a reader to run. */
type Told = { readonly page: string; readonly line: string };

const scriptsOf = (path: string): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(path, 'utf8')) as { readonly scripts: Readonly<object> };
  return Object.keys(scripts);
};

/** The scripts of Paygraph, and those of a connector's own project. */
const SCRIPTS: ReadonlySet<string> = new Set([
  ...scriptsOf('package.json'),
  ...scriptsOf('src/cli/connector/skeleton/package.json.template'),
]);

/** The options of each command of the program. */
const COMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  createProgram({ json: false }).commands.map((each) => [
    each.name(),
    new Set([
      '--help',
      ...[each, ...each.commands].flatMap(({ options }) =>
        options.flatMap(({ long, short }) => [long ?? '', short ?? '']),
      ),
    ]),
  ]),
);

const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync('src/docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && path !== 'reference/commands.md')
    .map((path) => `src/docs/${path}`),
];

/** Returns the lines of code in a page: those of its blocks, and each code span. Lines that go on are joined. */
function codeOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll('\\\n', ' ');
  const blocks = [...text.matchAll(/^ *```\w*\n([^]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const prose = text.replaceAll(/^ *```[^]*?^ *```$/gm, '');
  return [...blocks, ...[...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)];
}

const CODE: readonly Told[] = PAGES.flatMap((page) => codeOf(page).map((line) => ({ page, line })));

/** Returns the options among the words of a command, up to the end of the command. */
const optionsIn = (words: string): readonly string[] =>
  (/^[^|;&)>#]*/.exec(words)?.[0] ?? '')
    .replaceAll(/'[^']*'|"[^"]*"/g, '')
    .split(/\s+/)
    .flatMap((word) => /^--?[a-z][\w-]*/.exec(word)?.[0] ?? []);

const BY_NPM = /\bnpm run (?:--silent )?([a-z][\w:-]*)(?: -- (.*))?/g;
const BY_NAME = /(?:^|[\s/])paygraph(?:\.cjs)? (?!paygraph)([a-z][\w:-]*)(.*)/g;

type Command = Told & { readonly name: string; readonly options: readonly string[] };

const found = (pattern: RegExp): readonly Command[] =>
  CODE.flatMap(({ page, line }) =>
    [...line.matchAll(pattern)].map(([, name = '', words = '']) => ({
      ...{ page, line, name },
      options: optionsIn(words),
    })),
  );

const unknownOptions = (commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ name, options }) => options.some((option) => COMMANDS.get(name)?.has(option) === false));

describe('the pages', () => {
  const byNpm = found(BY_NPM);
  const byName = found(BY_NAME);

  it('name scripts of npm that exist, with options that exist', () => {
    expect(byNpm.length).toBeGreaterThan(50);
    expect(byNpm.filter(({ name }) => !SCRIPTS.has(name))).toEqual([]);
    expect(unknownOptions(byNpm)).toEqual([]);
  });

  it('name commands that exist, with options that exist', () => {
    expect(byName.length).toBeGreaterThan(30);
    expect(byName.filter(({ name }) => !COMMANDS.has(name))).toEqual([]);
    expect(unknownOptions(byName)).toEqual([]);
  });
});
