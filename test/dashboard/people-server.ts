import { startBrowser } from '../support/browser.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { requireBuilt } from './built.ts';

/** A service that signs nobody in by itself, and a browser. Passkeys need a name, so the address is that of localhost. */
export type SignInScene = {
  readonly server: TestServer;
  readonly url: string;
  /** Opens an address in a browser context of its own. */
  open(path: string, settings?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
};

/** Starts the service and the browser. */
export async function startSignInScene(options: TestServerOptions = {}): Promise<SignInScene> {
  const [port] = await Promise.all([lastingPort(), requireBuilt()]);
  const url = `http://localhost:${port}`;
  const [server, browser] = await Promise.all([
    startTestServer({
      sharesToken: false,
      ...options,
      settings: { PORT: String(port), PAYGRAPH_PUBLIC_URL: url, ...options.settings },
    }),
    startBrowser(),
  ]);
  return {
    server,
    url,
    open: (path, settings) => openPage(browser, `${url}/${path}`, settings),
    stop: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

async function openPage(
  browser: Browser,
  address: string,
  settings: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...settings,
  });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Gives a page an authenticator that verifies its person, as a phone or a laptop has. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}
