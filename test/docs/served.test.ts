import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { renderMarkdown, pageAddress } from '../../src/http/docs/markdown.ts';
import { startTestServer } from '../support/server.ts';
import { startDocsServer, type DocsServer } from './server.ts';

const ADDRESSES = readdirSync('src/docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map(pageAddress);

let server: DocsServer;
beforeAll(async () => {
  server = await startDocsServer();
});
afterAll(() => server.close());

const get = async (path: string) => {
  const response = await fetch(`${server.url}${path}`, { redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

it('the whole server has the pages, without a token', async () => {
  const whole = await startTestServer();
  const response = await fetch(`${whole.url}/docs/quickstart`);
  await whole.stop();

  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<h1 id="quickstart">Quickstart</h1>');
});

describe('the served pages', () => {
  it.each(ADDRESSES)('%s is there, and its links lead to pages and sections', async (address) => {
    const { status, text } = await get(address);
    expect(status).toBe(200);

    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, href = ''] of text.matchAll(/<a[^>]* href="([^"]+)"/g)) {
      if (href.startsWith('http')) continue;
      const [path = '', anchor] = href.split('#');
      if (path === '') expect([...ids]).toContain(anchor);
      else expect(ADDRESSES).toContain(path);
    }
    for (const [, source = ''] of text.matchAll(/<img src="([^"]+)"/g))
      expect((await get(source)).headers.get('content-type')).toBe('image/png');
  });

  it('allow nothing but their style, their pictures and their search', async () => {
    const { headers, text } = await get('/docs');

    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/<script| style=| on\w+=/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('are found by the name of the file and with a slash at the end', async () => {
    for (const path of ['/docs/guides/cards.md', '/docs/guides/cards/']) {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([301, '/docs/guides/cards']);
    }
    expect((await get('/docs/README.md')).headers.get('location')).toBe('/docs');
  });

  it.each([
    '/docs/none',
    '/docs/guides',
    '/docs/images/none.png',
    '/docs/..%2f..%2fpackage.json',
    '/docs/images/..%2fsandbox.md',
    '/docs/%2e%2e/%2e%2e/etc/passwd',
    '/docs//example.com',
  ])('%s is no page, in the same look', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(404);
    if (!path.includes('%2e')) expect(text).toContain('There is no such page');
  });
});

describe('the search', () => {
  const search = (query: string) => get(`/docs/search?q=${encodeURIComponent(query)}`);

  it.each([
    ['idempotency', '/docs/concepts/idempotency#idempotency'],
    ['rotate secret', '/docs/guides/webhooks#rotate-the-secret'],
    ['PAYGRAPH_ROLES', '/docs/operate/deploy#roles'],
    ['200011', '/docs/sandbox#amounts-that-are-refused'],
  ])('for %s finds %s', async (query, address) => {
    const { status, text } = await search(query);
    expect(status).toBe(200);
    const found = [...text.matchAll(/<li>\s*<a href="([^"]+#[^"]+)"/g)].map(([, href]) => href);
    expect(found.slice(0, 3)).toContain(address);
  });

  it('escapes the query', async () => {
    const { text } = await search('"><script>alert(1)</script>');
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
    expect(text).not.toContain('<script');
  });

  it('finds nothing for what is not there, and takes any text', async () => {
    expect((await search('xylophone')).text).toContain('No section');
    expect((await search('')).text).toContain('Type words');
    for (const query of ['(', '[a-', String.raw`\p{`, '*'.repeat(10_000), '\u0000'])
      expect((await search(query)).status).toBe(200);
    expect((await get('/docs/search?q=a&q=b')).status).toBe(200);
  });
});

describe('Markdown', () => {
  const rendered = (text: string): string => renderMarkdown('guides/a.md', text).body.text;

  it.each([
    ['raw HTML', 'A <b onclick="x()">b</b>', 'A &lt;b onclick=&quot;x()&quot;&gt;b&lt;/b&gt;'],
    ['a block of HTML', '<script>x()</script>', '&lt;script&gt;'],
    ['code', '`<i>`', '<code>&lt;i&gt;</code>'],
    ['a block of code', '```\n<i>\n```', '<code>&lt;i&gt;</code>'],
    ['a scheme of its own', '[a](javascript:x)', '<p>a</p>'],
    ['an address with a quote', '[a](https://a.example/?"b)', 'href="https://a.example/?&quot;b"'],
  ])('is safe with %s', (_, text, expected) => {
    expect(rendered(text)).toContain(expected);
    expect(rendered(text)).not.toMatch(/<script|<b |javascript:/);
  });

  it('leads to pages, and to nothing outside the pages', () => {
    expect(rendered('[a](../sandbox.md#x)')).toContain('<a href="/docs/sandbox#x">a</a>');
    expect(rendered('[a](../README.md)')).toContain('<a href="/docs">a</a>');
    expect(rendered('[a](../../../test/REPORT.md)')).toBe('<p>a</p>\n');
  });
});
