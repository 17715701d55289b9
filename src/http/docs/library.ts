import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { addressOf, pageAddress, plainText, renderMarkdown, type Rendered } from './markdown.ts';

/** A page of the documentation. */
export type DocPage = Rendered & { readonly address: string };

/** A group of the navigation, in the order of the first page. */
export type Group = {
  readonly title: string;
  readonly links: readonly { readonly title: string; readonly address: string }[];
};

/** All pages, by their addresses. */
export type Library = {
  readonly pages: ReadonlyMap<string, DocPage>;
  readonly groups: readonly Group[];
  /** Pictures by their names. */
  readonly images: ReadonlyMap<string, Buffer>;
};

/** The pages lie beside the code. */
const FOLDER = join(import.meta.dirname, '..', '..', 'docs');

/** Reads all pages. The lists of `README.md` are the navigation. */
export async function readLibrary(folder = FOLDER): Promise<Library> {
  const files = (await readdir(folder, { recursive: true })).map((file) => file.split(sep).join('/')).sort();
  const pages = await Promise.all(
    files
      .filter((file) => file.endsWith('.md'))
      .map(async (file) => {
        const text = await readFile(join(folder, file), 'utf8');
        return { ...renderMarkdown(file, text), address: pageAddress(file) };
      }),
  );
  const images = await Promise.all(
    files
      .filter((file) => /^images\/[\w-]+\.png$/.test(file))
      .map(async (file) => [file.replace('images/', ''), await readFile(join(folder, file))] as const),
  );
  const first = await readFile(join(folder, 'README.md'), 'utf8');
  return {
    pages: new Map(pages.map((page) => [page.address, page])),
    groups: groupsOf(new Marked().lexer(first)),
    images: new Map(images),
  };
}

function groupsOf(tokens: readonly Token[]): Group[] {
  const groups: { title: string; links: { title: string; address: string }[] }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth === 2)
      groups.push({ title: plainText(token), links: [] });
    if (token.type === 'list') groups.at(-1)?.links.push(...linksIn(token as Tokens.List));
  }
  return groups;
}

const linksIn = (list: Tokens.List): { title: string; address: string }[] =>
  list.items.flatMap((item) =>
    tokensWithin(item).flatMap((token) => {
      if (token.type !== 'link') return [];
      const address = addressOf('README.md', (token as Tokens.Link).href);
      return address === null ? [] : [{ title: plainText(token), address }];
    }),
  );

const tokensWithin = (token: Token): Token[] =>
  'tokens' in token ? [token, ...token.tokens.flatMap(tokensWithin)] : [token];
