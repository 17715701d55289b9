import { readdir, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import type { Browser, Page } from 'playwright-core';
import { createGraph } from '../../src/graph/graph.ts';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Visit = {
  readonly page: Page;
  readonly foreign: string[];
  readonly complaints: string[];
  readonly frames: string[];
};

/** Opens the page. Records its requests to other hosts, the browser's complaints, and the messages of websockets. */
async function visit(browser: Browser): Promise<Visit> {
  const page = await browser.newPage();
  const visited: Visit = { page, foreign: [], complaints: [], frames: [] };
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== server.url) visited.foreign.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && visited.complaints.push(message.text()));
  page.on('pageerror', (error) => visited.complaints.push(error.message));
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => visited.frames.push(payload.toString())),
  );
  await page.goto(server.url);
  return visited;
}

const run = (page: Page) => page.getByRole('button', { name: /^Execute query/ }).click();
const response = (page: Page) => page.getByLabel('Result Window');

(browserRunsHere ? describe : describe.skip)('GraphiQL', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  it('runs its welcome query with the token of the page, and calls no other host', async () => {
    const { page, foreign, complaints } = await visit(browser);

    await run(page);
    await response(page).getByText('"default"').first().waitFor();

    expect(await page.title()).toBe('Paygraph');
    expect([foreign, complaints]).toEqual([[], []]);
    await page.close();
  }, 60_000);

  it('changes to each example at the first click, and cuts none of its lines', async () => {
    const { page } = await visit(browser);
    const editor = page.locator('.graphiql-editor .view-lines').first();
    await editor.getByText('Welcome to Paygraph').waitFor();
    for (const [name, word] of [
      ['Pay', 'createTransaction'],
      ['Capture', 'captureTransaction'],
      ['Watch', 'subscription'],
      ['Welcome', 'merchantAccounts'],
      ['Pay', 'createTransaction'],
    ] as const) {
      await page.getByRole('tab', { name }).getByText(name).click();
      await editor.getByText(word).first().waitFor();
      const cut = await page.evaluate<number>(
        `(() => { const editor = document.querySelector('.graphiql-editor');
          const edge = editor.getBoundingClientRect().right;
          return [...editor.querySelectorAll('.view-line > span')]
            .filter((line) => line.getBoundingClientRect().right > edge).length; })()`,
      );
      expect([name, cut]).toEqual([name, 0]);
    }
    await page.close();
  }, 60_000);

  it('subscribes over a websocket', async () => {
    const { page, foreign, complaints, frames } = await visit(browser);

    await page.getByRole('tab', { name: 'Watch' }).click();
    await run(page);
    await page.getByRole('button', { name: /^Stop query/ }).waitFor();
    while (frames.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

    expect(frames).toEqual(['{"type":"connection_ack"}']);
    expect([foreign, complaints]).toEqual([[], []]);
    await page.close();
  }, 60_000);

  it('uses a new token after a reload', async () => {
    const { page } = await visit(browser);
    await run(page);
    await response(page).getByText('"default"').first().waitFor();
    const requested = page.waitForRequest(
      (request) => request.method() === 'POST' && !request.postData()?.includes('IntrospectionQuery'),
    );
    const html = page.waitForResponse(`${server.url}/`);

    await page.reload();
    await run(page);

    const [token] = /"token":"([^"]+)"/.exec(await (await html).text())?.slice(1) ?? [];
    expect((await requested).headers()['authorization']).toBe(`Bearer ${String(token)}`);
    await page.close();
  }, 60_000);
});

/** The columns of the editor on a laptop. */
const EXAMPLE_COLUMNS = 46;

/** Fetches the page as a browser with this host header. `fetch` would set its own. */
const pageFor = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(server.url, { headers: { host } }, (reply) => resolve(text(reply))).on('error', reject);
  });

describe('the page at /', () => {
  it('runs its own files only', async () => {
    const reply = await fetch(server.url);

    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect((await reply.text()).match(/(?:src|href)="(?!\/graphiql\/)[^"]*"/)).toBeNull();
  });

  it('hides its token from a foreign name that resolves to this machine', async () => {
    const own = await pageFor(new URL(server.url).host);
    const foreign = await pageFor('elsewhere.example');

    expect(own).toContain('"token":"ey');
    expect(foreign).toContain('misdirected_request');
    expect(foreign).not.toContain('"token"');
  });

  it('compresses its files, except for a client that takes none', async () => {
    const bytesOf = (headers: Readonly<Record<string, string>>): Promise<readonly [string, number]> =>
      new Promise((resolve, reject) => {
        get(`${server.url}/graphiql/graphiql.js`, { headers }, (reply) => {
          let bytes = 0;
          reply.on('data', (chunk: Buffer) => (bytes += chunk.length));
          reply.on('end', () => resolve([reply.headers['content-encoding'] ?? 'none', bytes]));
        }).on('error', reject);
      });

    const [[encoding, small], [plain, large]] = await Promise.all([
      bytesOf({ 'accept-encoding': 'gzip, deflate, br' }),
      bytesOf({ 'accept-encoding': 'gzip;q=0' }),
    ]);
    expect([encoding, plain]).toEqual(['gzip', 'none']);
    expect(small).toBeLessThan(2_000_000);
    expect(large).toBeGreaterThan(small * 3);
  });

  it('answers 304 for a file in the browser’s cache', async () => {
    const first = await fetch(`${server.url}/graphiql/in-browser.js`);
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(`${server.url}/graphiql/in-browser.js`, {
      headers: { 'if-none-match': etag },
    });

    expect([first.status, first.headers.get('content-type'), second.status]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      304,
    ]);
  });

  it('has no other files', async () => {
    for (const path of ['nothing.js', 'page.ts', '..%2fserver.ts', 'constructor']) {
      expect((await fetch(`${server.url}/graphiql/${path}`)).status).toBe(404);
    }
  });

  it('has valid examples', async () => {
    const schema = buildSchema(createGraph().apiSdl);
    const folder = new URL('../../src/http/graphiql/examples/', import.meta.url);
    const files = await readdir(folder);

    expect(files).toEqual(['1-welcome.graphql', '2-pay.graphql', '3-capture.graphql', '4-watch.graphql']);
    for (const file of files) {
      const text = await readFile(new URL(file, folder), 'utf8');
      expect(validate(schema, parse(text))).toEqual([]);
      expect(text.split('\n').filter((line) => line.length > EXAMPLE_COLUMNS)).toEqual([]);
    }
  });
});
