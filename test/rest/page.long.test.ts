import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  if (browserRunsHere) [server, browser] = await Promise.all([startTestServer(), startBrowser()]);
});
afterAll(async () => {
  if (!browserRunsHere) return;
  await browser.close();
  await server.stop();
});

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function openPage(width: number, colorScheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(request.url());
  });
  await page.goto(`${server.url}/openapi`);
  return { page, complaints };
}

(browserRunsHere ? describe : describe.skip)('the page of the REST paths', () => {
  it('sends a request with the token, and shows the answer', async () => {
    const { page, complaints } = await openPage(1280);

    await page.locator('#token').fill(server.token);
    await page.locator('#post_buyers summary').click();
    await page.locator('#post_buyers textarea').fill('{ "display_name": "Ada" }');
    await page.locator('#post_buyers button').click();
    const output = page.locator('#post_buyers pre[role=status]');
    await output.getByText('"display_name": "Ada"').waitFor();

    expect(await output.textContent()).toMatch(/^201 /);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('passes the audit, and fits 320 pixels, %s', async (scheme) => {
    const { page, complaints } = await openPage(320, scheme);
    await page.locator('#post_transactions summary').click();
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const { violations } = await axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
    });

    expect(found).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
