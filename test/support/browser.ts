import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** The platforms with a browser in the package. */
export const browserRunsHere = process.platform === 'linux' && process.arch === 'x64';

/**
 * Starts a headless browser from the packages alone, without parts of the system. Close it after the tests. The
 * package's own arguments run a single process without web security. These arguments keep pages apart.
 */
export const startBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox'],
    headless: true,
  });
