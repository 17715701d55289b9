import type { DocPage } from './library.ts';
import type { Heading } from './markdown.ts';

/** A section that a search found. */
export type Found = {
  readonly page: DocPage;
  readonly heading: Heading;
  /** The words around the first match, cut into parts. */
  readonly excerpt: readonly { readonly text: string; readonly matches: boolean }[];
};

/** The longest text that is searched for, in characters. */
export const QUERY_MAX = 100;

const WORDS_MAX = 8;
const FOUND_MAX = 20;
const EXCERPT_LENGTH = 180;

/** Finds the sections that hold every word of a query, the best first. A word also matches the beginning of a longer word. */
export function searchPages(pages: Iterable<DocPage>, query: string): Found[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const patterns = words.map(patternOf);
  const scored = [...pages].flatMap((page) =>
    page.sections.flatMap(({ heading, text }) => {
      const scores = patterns.map((pattern) => scoreOf(pattern, [page.title, heading.text, text]));
      const score = scores.reduce((sum, each) => sum + each, 0);
      return scores.includes(0) ? [] : [{ score, page, heading, text }];
    }),
  );
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, FOUND_MAX)
    .map(({ page, heading, text }) => ({ page, heading, excerpt: excerptOf(text, words) }));
}

const wordsOf = (query: string): string[] =>
  [
    ...new Set(
      query
        .slice(0, QUERY_MAX)
        .toLowerCase()
        .match(/[\p{L}\p{N}_-]+/gu) ?? [],
    ),
  ].slice(0, WORDS_MAX);

/** Words have letters, digits, underscores and hyphens alone, none of which is special in a pattern. */
const patternOf = (word: string): RegExp => new RegExp(String.raw`(?<![\p{L}\p{N}])${word}`, 'giu');

/** The weights of a match in the title of the page, the heading and the text. Many matches in a text count little more than one. */
function scoreOf(pattern: RegExp, [title = '', heading = '', text = '']: readonly string[]): number {
  const count = (among: string): number => [...among.matchAll(pattern)].length;
  return (count(title) > 0 ? 4 : 0) + (count(heading) > 0 ? 6 : 0) + Math.min(3, Math.sqrt(count(text)));
}

function excerptOf(text: string, words: readonly string[]): Found['excerpt'] {
  const all = new RegExp(words.map((word) => patternOf(word).source).join('|'), 'giu');
  const first = text.search(all);
  const from = first < 60 ? 0 : text.indexOf(' ', first - 60) + 1;
  const to = text.length - from > EXCERPT_LENGTH ? text.lastIndexOf(' ', from + EXCERPT_LENGTH) : text.length;
  const cut = text.slice(from, to);
  const parts: { text: string; matches: boolean }[] = [];
  let end = 0;
  for (const match of cut.matchAll(all)) {
    parts.push({ text: cut.slice(end, match.index), matches: false }, { text: match[0], matches: true });
    end = match.index + match[0].length;
  }
  parts.push({ text: cut.slice(end), matches: false });
  return [
    ...(from > 0 ? [{ text: '… ', matches: false }] : []),
    ...parts.filter((part) => part.text !== ''),
    ...(to < text.length ? [{ text: ' …', matches: false }] : []),
  ];
}
