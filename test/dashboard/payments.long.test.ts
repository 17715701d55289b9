import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, WebSocketRoute } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { openIn, startDashboard, type Dashboard } from './harness.ts';
import { copyPayments } from './many-payments.ts';
import { createPayment, seedPayments } from './seed.ts';
import { openDispute } from './seed-money.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  await seedPayments(dashboard.server, 24);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const rows = (page: Page) => page.locator('.grid-body [role=row]');
const isLive = (page: Page) => page.locator('.live[data-state=connected]').waitFor();
const create = (reference: string) =>
  createPayment(dashboard.server, { amount: 4242, reference, email: `${reference}@example.com` });

(browserRunsHere ? describe : describe.skip)('the list of payments', () => {
  it('opens without a sign-in, and complains of nothing', async () => {
    const { page, complaints } = await dashboard.open('payments');
    await rows(page).first().waitFor();
    await isLive(page);

    expect(await page.locator('h1').textContent()).toBe('Payments');
    expect(await rows(page).count()).toBe(24);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('finds a payment by e-mail while a person types', async () => {
    const { page } = await dashboard.open('payments');
    await rows(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('yuki@tan');
    await page.waitForURL((url) => url.search === '?q=yuki%40tan');
    await page.locator('.list-end').getByText('3 payments', { exact: true }).waitFor();

    expect(await rows(page).locator('[data-column=customer]').allTextContents()).toEqual(
      Array.from({ length: 3 }, () => 'yuki@tanaka.example'),
    );
    await page.reload();
    await page.locator('.list-end').getByText('3 payments', { exact: true }).waitFor();
    await page.context().close();
  });

  it('keeps filters as chips in the address', async () => {
    const { page } = await dashboard.open('payments');
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByLabel('Declined').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.list-end').getByText('4 payments', { exact: true }).waitFor();

    expect(new URL(page.url()).search).toBe('?status=AUTHORIZATION_DECLINED');
    expect(new Set(await rows(page).locator('.pill').allTextContents())).toEqual(new Set(['Declined']));
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await page.locator('.list-end').getByText('24 payments', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.context().close();
  });

  it('saves, renames, chooses and deletes a view', async () => {
    const { page } = await dashboard.open('payments?status=AUTHORIZATION_DECLINED');
    const menu = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: /^View/ }).click();
      await page.getByRole('menu').getByText(name, { exact: true }).click();
    };
    await page.getByRole('button', { name: 'Choose the columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Method' }).click();
    await page.keyboard.press('Escape');
    await menu('Save this view');
    await page.getByRole('dialog').getByLabel('Name').fill('Refusals');
    expect(await page.locator('.summary').textContent()).toContain('StatusDeclined');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'View: Refusals' }).waitFor();
    await menu('To be captured');
    await page.waitForURL(/status=AUTHORIZATION_SUCCEEDED$/);
    await page.reload();
    await menu('Refusals');
    await page.waitForURL(/status=AUTHORIZATION_DECLINED$/);
    expect(await page.getByRole('columnheader', { name: 'Method' }).count()).toBe(0);
    await menu('Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('Declines');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'View: Declines' }).waitFor();
    await menu('Delete');
    await page.getByText('The view “Declines” is deleted.').waitFor();

    expect(await page.evaluate("localStorage.getItem('paygraph.payments.views')")).toBe('[]');
    await page.context().close();
  });

  it('is moved through by j and k, and opens a payment with Enter', async () => {
    const { page } = await dashboard.open('payments');
    await rows(page).first().waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    const second = page.locator('[role=row][aria-selected=true]');
    expect(await second.getAttribute('aria-rowindex')).toBe('3');
    const id = (await second.getAttribute('id'))?.replace('row-', '');
    await page.locator('[role=row][aria-rowindex="3"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.record-head').waitFor();

    expect(new URL(page.url()).pathname).toBe(`/dashboard/payments/${id}`);
    await page.goBack();
    await rows(page).first().waitFor();
    await page.context().close();
  });

  it('keeps the chosen columns in this browser', async () => {
    const { page } = await dashboard.open('payments');
    await page.getByRole('button', { name: 'Choose the columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Country' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await rows(page).first().waitFor();

    expect(await page.getByRole('columnheader').allTextContents()).toContain('Country');
    await page.context().close();
  });

  it('shows a new payment by itself', async () => {
    const { page } = await dashboard.open('payments');
    await rows(page).first().waitFor();
    await isLive(page);
    await create('live');

    await rows(page).first().getByText('live@example.com').waitFor();
    await page.context().close();
  });

  it('misses nothing while its websocket is dead', async () => {
    const context = await dashboard.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const sockets: WebSocketRoute[] = [];
    let isDead = false;
    await page.routeWebSocket(/\/graphql$/, async (socket) => {
      if (isDead) return socket.close({ code: 1012 });
      socket.connectToServer();
      sockets.push(socket);
    });
    await openIn(dashboard.server, page, 'payments');
    await isLive(page);
    isDead = true;
    await sockets[0]?.close({ code: 1012 });
    await page.locator('.live[data-state=disconnected], .live[data-state=connecting]').first().waitFor();
    await create('missed');
    isDead = false;

    await isLive(page);
    await rows(page).first().getByText('missed@example.com').waitFor();
    await context.close();
  });

  it('exports the filtered payments', async () => {
    const { page } = await dashboard.open('payments?q=yuki');
    await page.locator('.list-end').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByLabel('For Excel').check();
    await page.getByRole('button', { name: 'Create file' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');

    expect(text.trim().split('\r\n')).toHaveLength(4);
    expect(text).toMatch(/^\ufeffid,/);
    await page.context().close();
  });

  it('scrolls through thousands of payments with few rows in the document', async () => {
    await copyPayments(dashboard.databaseUrl, 10_000);
    const { page } = await dashboard.open('payments');
    await rows(page).first().waitFor();
    const { most, long } = await page.evaluate<Scrolled>(SCROLL_DOWN);
    process.stdout.write(
      `\n10,000 payments scrolled: ${long.length} long tasks, the longest of ${Math.max(0, ...long)} ms\n`,
    );

    expect(await page.locator('.list-end').textContent()).toBe('10026 payments');
    expect(most).toBeLessThan(90);
    expect(await rows(page).last().textContent()).toContain('copy-10000');
    await page.context().close();
  }, 180_000);

  it('finds the payments with a dispute', async () => {
    const { body } = await dashboard.server.graphql<{ transactions: { nodes: readonly { id: string }[] } }>(
      '{ transactions(first: 1, filter: { status: [CAPTURE_SUCCEEDED] }) { nodes { id } } }',
    );
    const id = body.data?.transactions.nodes[0]?.id ?? '';
    await openDispute(dashboard.server, id);
    const { page } = await dashboard.open('payments');
    await page.getByRole('button', { name: 'Disputes' }).click();
    await page.getByLabel('With disputes').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.list-end').getByText('1 payment', { exact: true }).waitFor();

    expect(new URL(page.url()).search).toBe('?disputed=yes');
    await rows(page).getByRole('link').first().click();
    await page.waitForURL(new RegExp(`payments/${id}$`));
    await page.context().close();
  });
});

type Scrolled = { readonly most: number; readonly long: readonly number[] };

/**
 * Scrolls to the end as fast as rows come. Answers the most rows that were in the document at once. The list `long` has the
 * lengths of the tasks that kept the page from answering, in milliseconds.
 */
const SCROLL_DOWN = `new Promise((resolve) => {
  let most = 0;
  const long = [];
  new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });
  const step = () => {
    most = Math.max(most, document.querySelectorAll('.grid-body [role=row]').length);
    scrollTo(0, document.documentElement.scrollHeight);
    if (document.querySelector('.list-end')) setTimeout(() => resolve({ most, long }), 300);
    else requestAnimationFrame(step);
  };
  step();
})`;
