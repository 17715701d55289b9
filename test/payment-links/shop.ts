import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createService } from '../transactions/harness.ts';
import { startLinks, type Link, type LinksHarness } from './harness.ts';

/** A merchant's own site, with images and a return page. */
export type Shop = { readonly url: string; close(): Promise<void> };

const BANNER = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 160" preserveAspectRatio="xMidYMid slice">
  <rect width="640" height="160" fill="#0f4c3a"/><circle cx="540" cy="20" r="130" fill="#1b6b53"/>
  <circle cx="90" cy="170" r="120" fill="#e8b04b" opacity=".85"/><path d="M0 130Q160 70 320 120T640 90V160H0z" fill="#0a3529"/></svg>`;
const THUMB = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 44 44"><rect width="44" height="44" fill="#e9dfcd"/>
  <path d="M12 16h16v10a8 8 0 0 1-16 0zM28 18h3a4 4 0 0 1 0 8h-3" fill="none" stroke="#6b4f2a" stroke-width="2.5"/></svg>`;

export async function startShop(): Promise<Shop> {
  const server = createServer((request, response) => {
    const isImage = request.url?.endsWith('.svg') ?? false;
    response.setHeader('content-type', isImage ? 'image/svg+xml' : 'text/html');
    response.end(isImage ? (request.url === '/banner.svg' ? BANNER : THUMB) : '<h1>The shop</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts services for cards and for a redirect method that accept dollars and euros, and yen by card only. */
export async function startSellingHarness(
  settings = {},
  overrides: Parameters<typeof startLinks>[2] = {},
): Promise<LinksHarness> {
  const harness = await startLinks('mock-acquirer', settings, overrides);
  const { server, provider } = harness;
  await createService(server, provider.url, {
    displayName: 'Cards of the test',
    definitionId: 'mock-acquirer',
    currencies: ['EUR', 'JPY', 'SAR'],
  });
  await createService(server, provider.url, { definitionId: 'mock-paypal', currencies: ['EUR', 'SAR'] });
  return harness;
}

/** A link with every field. */
export const richLink = (shop: Shop) => ({
  ...{ amount: 5480, currency: 'EUR', country: 'DE', externalIdentifier: 'order-10423' },
  merchantName: 'Nordlicht Kaffee',
  merchantColor: '#0f4c3a',
  merchantMessage: 'Thank you for your order. We roast on Mondays and send it the day after.',
  merchantUrl: `${shop.url}/`,
  merchantBannerUrl: `${shop.url}/banner.svg`,
  merchantFaviconUrl: `${shop.url}/icon.svg`,
  merchantTermsAndConditionsUrl: `${shop.url}/terms`,
  returnUrl: `${shop.url}/back?basket=7`,
  cartItems: [
    { name: 'Espresso “Polarnacht”, 1 kg', quantity: 2, unitAmount: 1890, imageUrl: `${shop.url}/one.svg` },
    { name: 'Hand grinder', quantity: 1, unitAmount: 1990, imageUrl: `${shop.url}/two.svg` },
    { name: 'Autumn voucher', quantity: 1, unitAmount: 290, productType: 'DISCOUNT' },
  ],
});

/** Opens the page of a link in a separate browser context. */
export async function openPage(
  browser: Browser,
  url: string,
  settings: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    ...settings,
  });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Fills in the form of a page as a buyer does. */
export async function fillCard(page: Page, number = '4111 1111 1111 1111'): Promise<void> {
  await page.locator('#number').fill(number);
  await page.locator('#expiry').fill('12/40');
  await page.locator('#security_code').fill(/^3[47]/.test(number) ? '1234' : '123');
  const name = page.locator('#name');
  if ((await name.count()) > 0) await name.fill('Jane Doe');
}

/** Presses the button of the card form. */
export const pressPay = (page: Page): Promise<void> => page.locator('form.card button').click();

/** Reads the transactions of a link, oldest first. */
export const paymentsOf = (harness: LinksHarness, { id }: Pick<Link, 'id'>) =>
  harness.rows<{ id: string; status: string; method: string; buyer: unknown; redirect_url: string | null }>(
    'SELECT id, status, method, buyer, redirect_url FROM transaction WHERE payment_link_id = $1::uuid ORDER BY id',
    id,
  );
