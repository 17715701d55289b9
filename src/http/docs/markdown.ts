import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { html, Markup } from '../pages/html.ts';

/** A heading of a page, with the anchor that links name. */
export type Heading = { readonly depth: number; readonly text: string; readonly anchor: string };

/** A part of a page: from a heading to the next one. */
export type Section = { readonly heading: Heading; readonly text: string };

/** A page as readers see it. */
export type Rendered = {
  readonly title: string;
  /** The first heading. */
  readonly opening: Markup;
  readonly body: Markup;
  readonly sections: readonly Section[];
};

/**
 * Renders a page of Markdown. `path`: the file below the folder of pages, such as `guides/cards.md`.
 *
 * Raw HTML is escaped, and comments are dropped. Links to other pages lead to their addresses, and links to files elsewhere in
 * the repository become plain text.
 */
export function renderMarkdown(path: string, text: string): Rendered {
  const tokens = new Marked().lexer(text);
  const sections = sectionsOf(tokens);
  const marked = rendererOf(
    path,
    sections.map(({ heading }) => heading.anchor),
  );
  const first = tokens.findIndex(({ type }) => type === 'heading') + 1;
  return {
    title: sections[0]?.heading.text ?? path,
    opening: new Markup(marked.parser(tokens.slice(0, first))),
    body: new Markup(marked.parser(tokens.slice(first))),
    sections,
  };
}

/** Makes a renderer of one page, which gives its headings the anchors in their order. */
function rendererOf(path: string, anchors: readonly string[]): Marked {
  let nextHeading = 0;
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchors[nextHeading++] ?? '';
        const inner = new Markup(this.parser.parseInline(tokens));
        const level = String(depth);
        return html`${new Markup(`<h${level} id="${anchor}">`)}${inner}${new Markup(`</h${level}>\n`)}`.text;
      },
      link({ href, tokens }) {
        const inner = new Markup(this.parser.parseInline(tokens));
        const address = addressOf(path, href);
        return address === null ? inner.text : html`<a href="${address}">${inner}</a>`.text;
      },
      image({ href, text: alternative }) {
        const name = posix.basename(href);
        return html`<img src="/docs/images/${name}" alt="${alternative}" loading="lazy" />`.text;
      },
      table(token) {
        return html`<div class="table" tabindex="0">
          ${new Markup(tableOf(token, (cell) => this.parser.parseInline(cell)))}
        </div>`.text;
      },
      code: ({ text: lines }) => html`<pre tabindex="0"><code>${lines}</code></pre>`.text,
      html: ({ text: raw }) => (/^<!--[\s\S]*-->\s*$/.test(raw) ? '' : html`${raw}`.text),
    },
  });
}

/** Writes a table. */
function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const cells = (row: readonly Tokens.TableCell[], name: 'th' | 'td'): string =>
    `<tr>${row.map(({ tokens }) => `<${name}>${inline(tokens)}</${name}>`).join('')}</tr>`;
  return `<table><thead>${cells(header, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`;
}

/** The sections of a page, in order. Two headings of the same words get different anchors. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { heading: Heading; parts: string[] }[] = [];
  const seen = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: inner } = token as Tokens.Heading;
      const text = inner.map(plainText).join('');
      const slug = slugOf(text);
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      sections.push({
        heading: { depth, text, anchor: times === 0 ? slug : `${slug}-${times}` },
        parts: [],
      });
    } else if (token.type !== 'html') sections.at(-1)?.parts.push(plainText(token));
  }
  return sections.map(({ heading, parts }) => ({
    heading,
    text: parts.join(' ').replace(/\s+/g, ' ').trim(),
  }));
}

/** Makes an anchor of a heading's words, as forges do. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** The text that a reader sees of a token. */
export function plainText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .map((row) => row.map(({ tokens }) => tokens.map(plainText).join('')).join(' '))
      .join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join(' ');
  if ('tokens' in token) return token.tokens.map(plainText).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : ' ';
}

/** The address to which a link of a page leads on the server. Null: the server has no such page. */
export function addressOf(path: string, href: string): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
  const [file = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(path), file);
  if (target.startsWith('..') || !target.endsWith('.md')) return null;
  return `${pageAddress(target)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The address of the page of a file: `/docs` of `README.md`, and `/docs/guides/cards` of `guides/cards.md`. */
export const pageAddress = (file: string): string => {
  const name = file.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
  return name === '' ? '/docs' : `/docs/${name}`;
};
