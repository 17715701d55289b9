import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';
import { withFolderLock } from '../../src/platform/postgres/folder-lock.ts';

/** The platforms with a browser in the package. */
export const browserRunsHere = process.platform === 'linux' && process.arch === 'x64';

/**
 * Starts a headless browser from the packages alone, without parts of the system. Close it after the tests. The
 * package's own arguments run a single process without web security. These arguments keep pages apart.
 */
export const startBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await withFolderLock(LOCK, () => chromium.executablePath()),
    args: ['--no-sandbox'],
    headless: true,
    timeout: 60_000,
  });

/** The first start unpacks the browser into the temporary folder. Another worker may find half of the browser there. */
const LOCK = join(tmpdir(), 'paygraph-chromium.lock');
