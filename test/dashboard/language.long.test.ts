import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';
import { createAntiFraud } from './seed-services.ts';
import { createPayment } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  await createPayment(dashboard.server, { amount: 5480 });
  await createAntiFraud(dashboard.server);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

/** Lists the loaded files that hold a language. */
const LANGUAGE_FILES = `performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*[/]/, ''))
  .filter((name) => /^(arabic|french|german|japanese|portuguese|spanish)-/.test(name))`;

const LOCALES = ['de-DE', 'es-ES', 'fr-FR', 'pt-BR', 'ja-JP', 'ar'] as const;
const PAGES = ['', 'payments', 'services', 'anti-fraud', 'disputes', 'webhooks', 'keys', 'team'] as const;
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

const languageOf = (page: Page): Promise<string> =>
  page.evaluate('document.documentElement.lang + " " + document.documentElement.dir');

(browserRunsHere ? describe : describe.skip)('the language of the dashboard', () => {
  it('is the first known one of the browser, with its forms of amounts', async () => {
    const { page, complaints } = await dashboard.open('', { locale: 'de-AT' });
    await heading(page, 'Autorisierungsrate');

    expect(await languageOf(page)).toBe('de ltr');
    expect(await page.evaluate(LANGUAGE_FILES)).toEqual([expect.stringMatching(/^german-/)]);
    await page.getByText('€ 54,80').first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is English for a browser without a known language, and loads no other language', async () => {
    const { page } = await dashboard.open('', { locale: 'fi-FI' });
    await heading(page, 'Authorisation rate');

    expect(await languageOf(page)).toBe('en ltr');
    expect(await page.evaluate(LANGUAGE_FILES)).toEqual([]);
    await page.context().close();
  });

  it('stays as the person chose it', async () => {
    const { page } = await dashboard.open('payments');
    await page.getByRole('button', { name: 'sandbox Owner' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await heading(page, 'Zahlungen');
    await page.reload();

    await heading(page, 'Zahlungen');
    expect(await languageOf(page)).toBe('de ltr');
    await page.getByRole('button', { name: 'sandbox Inhaber' }).click();
    expect(await page.getByRole('menuitemradio', { name: 'Deutsch' }).getAttribute('aria-checked')).toBe(
      'true',
    );
    await page.context().close();
  });

  it('runs from right to left in Arabic', async () => {
    const { page, complaints } = await dashboard.open('', { locale: 'ar-EG' });
    await heading(page, 'نسبة التفويض');

    expect(await languageOf(page)).toBe('ar rtl');
    const side = await page.locator('.side').boundingBox();
    expect(side?.x).toBeGreaterThan(1000);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each(PAGES.flatMap((path) => LOCALES.map((locale) => [path, locale] as const)))(
    'fits a phone: %s in %s',
    async (path, locale) => {
      const { page } = await dashboard.open(path, { ...PHONE, locale });
      await page.locator('.bone').first().waitFor({ state: 'detached' });

      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.context().close();
    },
  );
});
