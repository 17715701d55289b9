import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { Marked, type Token, type Tokens } from 'marked';
import { renderMarkdown } from '../../src/http/docs/markdown.ts';

const PAGES = readdirSync('src/docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => posix.join('src/docs', file))
  .sort();
/** A record of a decision, which the list of decisions leads to. */
const RECORD = /^src\/docs\/decisions\/(?!README)/;
const FILES = ['README.md', '.github/CONTRIBUTING.md', ...PAGES];

const read = (file: string): string => readFileSync(file, 'utf8');

const tokensOf = (file: string): Token[] => {
  const tokens: Token[] = [];
  const marked = new Marked();
  void marked.walkTokens(marked.lexer(read(file)), (token) => void tokens.push(token));
  return tokens;
};

/** Finds the relative links and pictures of a file that lead nowhere. */
function brokenLinks(file: string): string[] {
  return tokensOf(file)
    .filter((token): token is Tokens.Link | Tokens.Image => token.type === 'link' || token.type === 'image')
    .map(({ href }) => href)
    .filter((href) => !/^https?:/.test(href) && !leadsSomewhere(file, href));
}

function leadsSomewhere(file: string, href: string): boolean {
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

const anchorsOf = (file: string): string[] =>
  renderMarkdown(file, read(file)).sections.map(({ heading }) => heading.anchor);

/** Finds the paths in code spans that do not exist. A path with a placeholder is left out. */
function missingPaths(file: string): string[] {
  return tokensOf(file)
    .flatMap((token) => (token.type === 'codespan' ? [(token as Tokens.Codespan).text] : []))
    .filter((text) => /^(src|test|schema|prisma|\.github|\.config)(\/[\w.-]+)+\/?$/.test(text))
    .filter((path) => !existsSync(file === OF_CONNECTORS ? `${SKELETON}/${path}.template` : path));
}

/** The guide that names the files of a new connector. */
const OF_CONNECTORS = 'src/docs/guides/write-a-connector.md';
const SKELETON = 'src/cli/connector/skeleton';

/** The text of all code, in which a name must stand. */
const CODE = ['src', 'test', 'schema', 'prisma/models']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => posix.join(folder, file)),
  )
  .filter(
    (file) =>
      /\.(ts|graphql|prisma)$/.test(file) && !file.includes('generated') && !file.startsWith('test/docs'),
  )
  .map(read)
  .join('\n');

/** The pages that lead a contributor to names in the code. */
const GUIDES = ['README.md', '.github/CONTRIBUTING.md', 'src/docs/architecture.md'];

/** Finds the names in code spans, such as `refundTransaction` and `Recovery`, that no code has. */
function missingNames(text: string): string[] {
  const spans = [...text.matchAll(/(?<!`)`([A-Za-z]\w*)(?:\([^`]*\))?`(?!`)/g)].map(([, name = '']) => name);
  const names = new Set(spans.filter((name) => /[a-z][A-Z]/.test(name) && !EXAMPLES.includes(name)));
  return [...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(CODE));
}

/** Names that stand for any name. */
const EXAMPLES: readonly string[] = ['verbThing', 'createAcmePay'];

describe('the names in the guides for contributors', () => {
  it.each(GUIDES)('of %s stand in the code', (file) => {
    expect(missingNames(read(file))).toEqual([]);
  });

  it('are seen when no code has them', () => {
    expect(missingNames('Read `refundTransaction` and `noSuchFunction(app)` first.')).toEqual([
      'noSuchFunction',
    ]);
  });
});

describe('the links', () => {
  it.each(FILES)('of %s lead somewhere', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  it('are seen when they are broken', () => {
    expect(leadsSomewhere('README.md', 'src/docs/none.md')).toBe(false);
    expect(leadsSomewhere('README.md', 'src/docs/README.md#none')).toBe(false);
    expect(leadsSomewhere('README.md', 'src/docs/README.md#guides')).toBe(true);
  });

  it('of the first page lead to every page but the records of decisions, once', () => {
    const listed = tokensOf('src/docs/README.md').flatMap((token) =>
      token.type === 'link' ? [posix.join('src/docs', (token as Tokens.Link).href)] : [],
    );
    expect(listed.toSorted()).toEqual(
      PAGES.filter((page) => page !== 'src/docs/README.md' && !RECORD.test(page)),
    );
  });
});

it.each(FILES)('the paths that %s names exist', (file) => {
  expect(missingPaths(file)).toEqual([]);
});

/** Returns the rows of a table that have more or fewer cells than its head. */
function unevenRows(table: string): string[] {
  const cellsOf = (row: string) => row.split(/(?<!\\)\|/).length;
  const [head = '', ...rows] = table.trimEnd().split('\n');
  return rows.filter((row) => cellsOf(row) !== cellsOf(head));
}

it.each(FILES)('the rows of the tables of %s have the cells of their head', (file) => {
  const tables = tokensOf(file).filter(({ type }) => type === 'table');

  expect(tables.flatMap(({ raw }) => unevenRows(raw))).toEqual([]);
  expect(unevenRows('| a | b |\n| - | - |\n| c |\n')).toEqual(['| c |']);
});

it('README has at most 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

describe('the examples', () => {
  const schema = buildSchema(read(join('schema', 'api.graphql')));
  const examples = ['README.md', ...PAGES].flatMap((file) =>
    tokensOf(file).flatMap((token) =>
      token.type === 'code' && (token as Tokens.Code).lang === 'graphql'
        ? [{ file, text: (token as Tokens.Code).text }]
        : [],
    ),
  );

  it.each(examples)('of $file fit the schema', ({ text }) => {
    expect(validate(schema, parse(text))).toEqual([]);
  });

  it('README pays in 12 lines', () => {
    const [payment] = examples.filter(({ file }) => file === 'README.md');
    expect(payment?.text.split('\n')).toHaveLength(12);
  });
});
