import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUILT_DASHBOARD } from '../../src/http/dashboard/files.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { requireBuilt } from './built.ts';

let server: TestServer;
beforeAll(async () => {
  await requireBuilt();
  server = await startTestServer();
}, 60_000);
afterAll(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });

/** The addresses of the files that the first page loads. */
async function firstFiles(): Promise<readonly string[]> {
  const html = await (await get('/dashboard')).text();
  return Array.from(html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g), ([, path]) => `/dashboard/${path}`);
}

describe('the page of the dashboard', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/payments/1f', '/dashboard/payments?status=X'])(
    'is served at %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('<base href="/dashboard/" />');
    },
  );

  it('allows nothing inline and nothing of another origin', async () => {
    const [one, other] = [await get('/dashboard'), await get('/dashboard')];
    const policy = one.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1];

    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(other.headers.get('content-security-policy')).not.toContain(nonce);
    const html = await one.text();
    expect(html).toContain(`content="${nonce}"`);
    expect(html).not.toMatch(/%[A-Z]+%|<style|<script(?![^>]* src=)|https?:\/\//);
  });

  it('knows the path of a proxy', async () => {
    const proxied = await startTestServer({
      settings: { PAYGRAPH_PUBLIC_URL: 'https://shop.example/payments' },
    });
    const html = await (await fetch(`${proxied.url}/dashboard`)).text();
    expect(html).toContain('<base href="/payments/dashboard/" />');
    await proxied.stop();
  });
});

describe('a file of the dashboard', () => {
  it('is compressed as the browser accepts it, and kept for ever', async () => {
    const path = (await firstFiles()).find((each) => each.endsWith('.js')) ?? '';
    const file = join(BUILT_DASHBOARD, path.replace('/dashboard/', ''));
    const readRaw = async (encoding: string) => {
      const response = await get(path, { 'accept-encoding': encoding });
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('vary')).toBe('accept-encoding');
      return [response.headers.get('content-encoding'), (await response.arrayBuffer()).byteLength];
    };
    const size = (await stat(file)).size;

    expect(await readRaw('gzip, deflate, br')).toEqual(['br', size]);
    expect(await readRaw('gzip')).toEqual(['gzip', size]);
    expect(await readRaw('identity')).toEqual([null, size]);
    expect(await readRaw('br;q=0, gzip')).toEqual(['gzip', size]);
  });

  it('has the same content in each encoding', async () => {
    const { readFile } = await import('node:fs/promises');
    const names = (await readdir(join(BUILT_DASHBOARD, 'assets'))).filter((name) => name.endsWith('.js'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const path = join(BUILT_DASHBOARD, 'assets', name);
      const plain = await readFile(path);
      expect(brotliDecompressSync(await readFile(`${path}.br`)).equals(plain)).toBe(true);
      expect(gunzipSync(await readFile(`${path}.gz`)).equals(plain)).toBe(true);
    }
  });

  it.each(['/dashboard/assets/none.js', '/dashboard/assets/..%2Findex.html', '/dashboard/assets/index.html'])(
    'is not served from %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
