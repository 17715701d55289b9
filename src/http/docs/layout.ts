import { html, type Markup } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import type { DocPage, Group, Library } from './library.ts';
import { QUERY_MAX, type Found } from './search.ts';
import { STYLE } from './style.ts';

/** Lays out a page of the documentation: the navigation, the text, and the list of its sections. */
export function docPage(library: Library, page: DocPage): Page {
  const sections = page.sections.map(({ heading }) => heading).filter(({ depth }) => depth === 2);
  const contents = html`<ul>
    ${sections.map(({ anchor, text }) => html`<li><a href="#${anchor}">${text}</a></li> `)}
  </ul>`;
  const hasContents = sections.length > 1;
  const body = html`<article id="text">
      ${page.opening}
      ${
        hasContents &&
        html`<details class="small-contents">
          <summary>On this page</summary>
          ${contents}
        </details>`
      }
      ${page.body} ${neighbours(library.groups, page)}
    </article>
    ${
      hasContents &&
      html`<nav class="contents" aria-label="On this page">
        <p>On this page</p>
        ${contents}
      </nav>`
    }`;
  return framed(library, { title: `${page.title} · Paygraph`, body, address: page.address });
}

/** Lays out the answer of a search. An empty query shows the form alone. */
export function searchPage(library: Library, query: string, found: readonly Found[]): Page {
  const body = html`<article id="text">
    <h1>Search</h1>
    ${
      query === ''
        ? html`<p>Type words into the search at the top of the page.</p>`
        : html`<p role="status">${countOf(found.length)} for “${query}”</p>`
    }
    <ol class="found">
      ${found.map(shown)}
    </ol>
  </article>`;
  return framed(library, { title: 'Search · Paygraph', body, query });
}

/** Lays out the answer to an address without a page. */
export function missingPage(library: Library): Page {
  const body = html`<article id="text">
    <h1>There is no such page</h1>
    <p>Search for a word, or go to the <a href="/docs">list of all pages</a>.</p>
  </article>`;
  return { ...framed(library, { title: 'Not found · Paygraph', body }), status: 404 };
}

const countOf = (count: number): string => {
  if (count === 0) return 'No section';
  return count === 1 ? '1 section' : `${count} sections`;
};

const shown = ({ page, heading, excerpt }: Found): Markup =>
  html`<li>
    <a href="${page.address}#${heading.anchor}">${heading.text}</a>
    ${heading.depth > 1 && html`<span class="where">${page.title}</span>`}
    <p>${excerpt.map(({ text, matches }) => (matches ? html`<mark>${text}</mark>` : text))}</p>
  </li> `;

type Frame = {
  readonly title: string;
  readonly body: Markup;
  readonly address?: string;
  readonly query?: string;
};

const framed = ({ groups }: Library, { title, body, address, query = '' }: Frame): Page => ({
  title,
  body,
  before: html`<a class="skip" href="#text">Skip to the text</a>
    <header>
      <button class="menu" popovertarget="pages">Menu</button>
      <a class="brand" href="/docs">Paygraph</a>
      <form action="/docs/search" role="search">
        <label for="query">Search</label>
        <input
          id="query"
          name="q"
          type="search"
          placeholder="Search"
          value="${query}"
          maxlength="${QUERY_MAX}"
        />
        <button>Search</button>
      </form>
    </header>
    <nav id="pages" class="pages" aria-label="Pages" popover>
      <button class="close" popovertarget="pages" popovertargetaction="hide">Close</button>
      ${groups.map((group) => navigation(group, address))}
    </nav>`,
  styles: [STYLE],
  imageOrigins: ["'self'"],
});

const navigation = ({ title, links }: Group, current: string | undefined): Markup =>
  html`<p>${title}</p>
    <ul>
      ${links.map((link) =>
        link.address === current
          ? html`<li><a href="${link.address}" aria-current="page">${link.title}</a></li> `
          : html`<li><a href="${link.address}">${link.title}</a></li> `,
      )}
    </ul>`;

function neighbours(groups: readonly Group[], page: DocPage): Markup | null {
  const links = groups.flatMap((group) => group.links);
  const at = links.findIndex(({ address }) => address === page.address);
  const [before, after] = [at > 0 ? links[at - 1] : undefined, links[at + 1]];
  if (!before && !after) return null;
  return html`<nav class="neighbours" aria-label="Neighbours">
    ${before && html`<a rel="prev" href="${before.address}"><span>Previous</span> ${before.title}</a>`}
    ${after && html`<a rel="next" href="${after.address}"><span>Next</span> ${after.title}</a>`}
  </nav>`;
}
