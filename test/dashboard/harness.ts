import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import type { Settings } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { requireBuilt } from './built.ts';

/** A complete sandbox in a process of its own, and a browser. */
export type Dashboard = {
  readonly server: ServerProcess;
  readonly browser: Browser;
  readonly databaseUrl: string;
  /** Opens a page of the dashboard in a browser context of its own. */
  open(path?: string, settings?: BrowserContextOptions): Promise<OpenPage>;
  stop(): Promise<void>;
};

/** A page, with the browser's complaints about it, and each request to another server. */
export type OpenPage = { readonly page: Page; readonly complaints: readonly string[] };

/** Starts the sandbox with these settings, and the browser. Takes some five seconds. */
export async function startDashboard(settings: Settings = {}): Promise<Dashboard> {
  const [database] = await Promise.all([createTestDatabase(), requireBuilt()]);
  const [server, browser] = await Promise.all([
    startProcess({
      DATABASE_URL: database.url,
      PAYGRAPH_COST_PER_SECOND: 'off',
      PAYGRAPH_LATE_WORK_MS: 'off',
      ...settings,
    }),
    startBrowser(),
  ]);
  return {
    server,
    browser,
    databaseUrl: database.url,
    open: async (path = '', look = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        locale: 'en-GB',
        ...look,
      });
      return openIn(server, await context.newPage(), path);
    },
    stop: async () => {
      await browser.close();
      await server.stop();
      await database.drop();
    },
  };
}

/** Opens a page of the dashboard in this tab. */
export async function openIn(server: ServerProcess, page: Page, path = ''): Promise<OpenPage> {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().replace(/^ws/, 'http').startsWith(server.url)) complaints.push(request.url());
  });
  await page.goto(`${server.url}/dashboard/${path}`);
  await page.locator('main :is(h1, h2)').first().waitFor();
  return { page, complaints };
}

/** Presses the button of exactly this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
