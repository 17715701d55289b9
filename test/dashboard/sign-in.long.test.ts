import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { codeAt, invite, PASSWORD } from '../people/people.ts';
import { browserRunsHere } from '../support/browser.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { faultsOf } from './faults.ts';
import { press } from './harness.ts';
import { addAuthenticator, startSignInScene, type SignInScene } from './people-server.ts';

let clock: ShiftedClock;
let scene: SignInScene;
beforeAll(async () => {
  if (!browserRunsHere) return;
  clock = createShiftedClock();
  scene = await startSignInScene({ clock });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await scene.stop();
});

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 320, height: 640 }, hasTouch: true },
};

const pathOf = async (email: string, role = 'SUPPORT'): Promise<string> =>
  ((await invite(scene.server, email, role)).invitationUrl ?? '').slice(scene.url.length + 1);

(browserRunsHere ? describe : describe.skip)('a person', () => {
  it('accepts with a password, keeps the codes, signs out and signs in again', async () => {
    const page = await scene.open(await pathOf('ada@example.com'));
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const secret = ((await page.locator('.totp code').textContent()) ?? '').replaceAll(' ', '');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, clock.now()));
    await press(page, 'Accept');
    await page.locator('.recovery-codes code').first().waitFor();
    const codes = await page.locator('.recovery-codes code').allTextContents();
    await press(page, 'I have kept them');
    await page.getByRole('button', { name: 'ada@example.com Support' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await press(page, 'Sign in again');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Continue');
    clock.advance(31_000);
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, clock.now()));
    await press(page, 'Sign in');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();

    expect(codes).toHaveLength(10);
    expect(page.url()).toBe(`${scene.url}/dashboard/`);
    // A browser complains about each answer of 401.
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
    await page.context().close();
  });

  it('accepts with a passkey, and signs in with it, each challenge once', async () => {
    const page = await scene.open('dashboard');
    await addAuthenticator(page);
    await page.goto(`${scene.url}/${await pathOf('ben@example.com')}`);
    await press(page, 'Use a passkey');
    await page.getByRole('button', { name: 'ben@example.com Support' }).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await press(page, 'Sign in again');
    const sent = page.waitForRequest((request) => request.url().endsWith('/sign-in/passkey'));
    await press(page, 'Sign in with a passkey');
    await page.getByRole('button', { name: 'ben@example.com Support' }).waitFor();
    const answer = (await sent).postData() ?? '';
    const repeated = await fetch(`${scene.url}/dashboard/sign-in/passkey`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: scene.url, 'x-paygraph-dashboard': '1' },
      body: answer,
    });
    const [passkey] = await scene.server.app.db.prisma.dashboardPasskey.findMany();

    expect(repeated.status).toBe(401);
    expect(passkey?.lastUsedAt).not.toBeNull();
    expect(Number(passkey?.counter)).toBeGreaterThan(0);
    await page.context().close();
  });

  it('is told that a proof is wrong, and that an invitation does not count', async () => {
    const page = await scene.open('dashboard');
    await page.getByLabel('E-mail address').fill('nobody@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Continue');
    await page.getByLabel('Code', { exact: true }).fill('123456');
    await press(page, 'Sign in');
    await page.getByText('The e-mail address, the password or the code is wrong').waitFor();
    await page.goto(`${scene.url}/dashboard/join#none`);
    await page.reload();
    await page.getByText('This invitation has expired').waitFor();

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'This invitation does not count',
    );
    await page.context().close();
  });

  it.each(Object.keys(LOOKS))('finds pages without faults, %s', async (look) => {
    const settings = { ...LOOKS[look], bypassCSP: true };
    const signIn = await scene.open('dashboard', settings);
    await signIn.getByRole('heading', { level: 1 }).waitFor();
    const join = await scene.open(await pathOf(`eva.${look}@example.com`, 'ANALYST'), settings);
    await join.locator('.qr').waitFor();

    expect([await faultsOf(signIn), await faultsOf(join)]).toEqual([[], []]);
    await signIn.context().close();
    await join.context().close();
  });
});
