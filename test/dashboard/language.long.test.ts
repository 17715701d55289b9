import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Texts } from '../../src/dashboard/generated/texts/en.ts';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';
import { seedOtherMoney } from './seed-differences.ts';
import { openDispute } from './seed-money.ts';
import { signInAsNew } from './seed-refunds.ts';
import { createAntiFraud } from './seed-services.ts';
import { createEndpoint, createLink, createPayment } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  const { server } = dashboard;
  await createPayment(server, { amount: 5480 });
  await signInAsNew(server, 'kim@example.com', 'SUPPORT');
  await createLink(server, { amount: 4990 });
  await createEndpoint(server, 'http://127.0.0.1:9/hooks');
  await openDispute(server, await createPayment(server, { amount: 4210 }));
  await seedOtherMoney(server);
  await createAntiFraud(server);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

/** Lists the loaded files that hold a language. */
const LANGUAGE_FILES = `performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*[/]/, ''))
  .filter((name) => /^(ar|de|es|fr|ja|pt)-/.test(name))`;

const LOCALES = ['de-DE', 'es-ES', 'fr-FR', 'pt-BR', 'ja-JP', 'ar'] as const;
const PAGES = [
  '',
  'payments',
  'services',
  'anti-fraud',
  'disputes',
  'differences',
  'webhooks',
  'keys',
  'team',
] as const;
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };

/** The labels that the column of states may show, by page. */
const STATES: Readonly<Record<string, (texts: Texts) => readonly string[]>> = {
  payments: ({ payments }) => [...Object.values(payments.status), payments.refunded, payments.partlyRefunded],
  links: ({ links }) => Object.values(links.status),
  disputes: ({ disputes }) => Object.values(disputes.status),
  differences: ({ differences }) => Object.values(differences.state),
  webhooks: ({ webhooks }) => Object.values(webhooks.state),
  team: ({ team }) => Object.values(team.state),
};

/** Gives the first state of a list each label in turn. Lists the labels that its column cuts off. */
const cutOff = (labels: readonly string[]): string => `(() => {
  const pill = document.querySelector('.grid-row .pill');
  const cell = pill.closest('.grid-row > *');
  return ${JSON.stringify(labels)}.filter((label) => {
    pill.lastChild.textContent = label;
    return cell.scrollWidth > cell.clientWidth || pill.scrollWidth > pill.clientWidth;
  });
})()`;

/** Lists the heads of columns, the places of the navigation and the buttons that are wider than their room. */
const CUT_LABELS = `[...document.querySelectorAll('.grid-head .grid-row > *, .side nav a, main .button')]
  .filter((each) => {
    const cell = each.closest('.grid-row > *') ?? each;
    return cell.scrollWidth > cell.clientWidth + 1;
  })
  .map((each) => each.textContent || each.ariaLabel)`;

/** The height of the navigation that a person has to scroll to. */
const HIDDEN_PLACES = `(() => {
  const nav = document.querySelector('.side nav');
  return nav.scrollHeight - nav.clientHeight;
})()`;

const textsOf = async (locale: string): Promise<Texts> => {
  const { language } = new Intl.Locale(locale);
  const loaded = (await import(`../../src/dashboard/generated/texts/${language}.ts`)) as { texts: Texts };
  return loaded.texts;
};

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

const languageOf = (page: Page): Promise<string> =>
  page.evaluate('document.documentElement.lang + " " + document.documentElement.dir');

(browserRunsHere ? describe : describe.skip)('the language of the dashboard', () => {
  it('is the first known one of the browser, with its forms of amounts', async () => {
    const { page, complaints } = await dashboard.open('', { locale: 'de-AT' });
    await heading(page, 'Autorisierungsrate');

    expect(await languageOf(page)).toBe('de ltr');
    expect(await page.evaluate(LANGUAGE_FILES)).toEqual([expect.stringMatching(/^de-/)]);
    await page.getByText('€ 151,70').first().waitFor();
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

  it.each(LOCALES)('says in %s why a payment was declined', async (locale) => {
    const id = await createPayment(dashboard.server, { amount: 200_011 });
    const { declines, payment } = await textsOf(locale);
    const { page } = await dashboard.open(`payments/${id}`, { locale });
    const sentence = payment.sentence.AUTHORIZATION_DECLINED(declines.insufficient_funds);
    await page.locator('.record-head').getByText(sentence).waitFor();

    expect(await page.locator('.timeline li').first().textContent()).toContain(declines.insufficient_funds);
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

  it.each(['en-GB', ...LOCALES])('cuts no label off in %s', async (locale) => {
    const texts = await textsOf(locale);
    const cut: string[] = [];
    for (const [path, labelsOf] of Object.entries(STATES)) {
      const { page } = await dashboard.open(path, { locale });
      await page.locator('.grid-row .pill').first().waitFor();
      const labels = await page.evaluate<string[]>(CUT_LABELS);
      const states = await page.evaluate<string[]>(cutOff(labelsOf(texts)));
      const hidden = await page.evaluate<number>(HIDDEN_PLACES);
      cut.push(...[...labels, ...states].map((label) => `${path}: ${label}`));
      if (hidden > 0) cut.push(`${path}: ${hidden} pixels of the navigation`);
      await page.context().close();
    }

    expect(cut).toEqual([]);
  });
});
