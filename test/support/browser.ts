import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** Where the package has a browser for. */
export const browserRunsHere = process.platform === 'linux' && process.arch === 'x64';

/**
 * A headless browser from the packages alone: nothing of the system is used. Close it after the tests.
 * The package's own arguments are for a single process without web security; here pages are to be kept apart.
 */
export const startBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox'],
    headless: true,
  });
