import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { startDocsServer, type DocsServer } from './server.ts';

let server: DocsServer;
let browser: Browser;
beforeAll(async () => {
  if (browserRunsHere) [server, browser] = await Promise.all([startDocsServer(), startBrowser()]);
});
afterAll(async () => {
  if (!browserRunsHere) return;
  await browser.close();
  await server.close();
});

/** Opens a page, and notes what the browser complains of and what the page asks of others. */
async function openPage(path: string, width: number, colorScheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(request.url());
  });
  await page.goto(`${server.url}${path}`);
  return { page, complaints };
}

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function audit(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}

const PATHS = ['/docs', '/docs/sandbox', '/docs/guides/payment-links', '/docs/search?q=key', '/docs/none'];

(browserRunsHere ? describe : describe.skip)('the documentation in a browser', () => {
  it.each(PATHS)('fits a width of 320 pixels: %s', async (path) => {
    const { page, complaints } = await openPage(path, 320);

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(complaints.filter((each) => !each.includes('404'))).toEqual([]);
    await page.close();
  });

  it.each([
    ['/docs/sandbox', 1280, 'light'],
    ['/docs/sandbox', 320, 'dark'],
    ['/docs/search?q=key', 1280, 'dark'],
    ['/docs/guides/payment-links', 320, 'light'],
  ] as const)('passes the audit of %s at %i pixels, %s', async (path, width, scheme) => {
    const { page } = await openPage(path, width, scheme);

    expect(await audit(page)).toEqual([]);
    await page.close();
  });

  it('opens the menu of a phone without a script, and leads to a page', async () => {
    const { page } = await openPage('/docs', 320);
    const link = page.locator('#pages').getByRole('link', { name: 'Gift cards' });

    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.waitForURL('**/docs/guides/gift-cards');
    expect(await page.locator('h1').textContent()).toBe('Gift cards');
    await page.close();
  });

  it('searches from every page', async () => {
    const { page } = await openPage('/docs/guides/cards', 1280);

    await page.getByRole('searchbox').fill('unknown outcome');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/search?q=unknown+outcome');
    expect(await page.locator('.found li').count()).toBeGreaterThan(2);
    await page.close();
  });
});
