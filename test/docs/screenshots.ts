import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startBrowser } from '../support/browser.ts';
import { startDocsServer } from './server.ts';

// `node test/docs/screenshots.ts <folder>`: pictures of the documentation, to be looked at.

const PAGES = {
  start: '/docs',
  links: '/docs/guides/payment-links',
  sandbox: '/docs/sandbox',
  quickstart: '/docs/quickstart',
  search: '/docs/search?q=idempotency key',
  missing: '/docs/none',
} as const;

const folder = process.argv[2] ?? '.paygraph/screenshots';
await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([startDocsServer(), startBrowser()]);
try {
  for (const width of [320, 768, 1280]) {
    await takeAll(width, 'light');
    await takeAll(width, 'dark');
  }
} finally {
  await browser.close();
  await server.close();
}

async function takeAll(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  for (const [name, path] of Object.entries(PAGES)) await take(name, path, width, colorScheme);
}

async function take(name: string, path: string, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  await page.goto(`${server.url}${path}`);
  await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
  if (name === 'start' && width === 320) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.screenshot({ path: join(folder, `menu-${width}-${colorScheme}.png`) });
  }
  await page.close();
}
