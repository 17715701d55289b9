import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { askAs, cookieOf, pageOf } from '../sessions/browser-fetch.ts';
import { codeAt, invite, join, PASSWORD, signInAs, type Joined } from '../people/people.ts';
import { browserRunsHere } from '../support/browser.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { faultsOf } from './faults.ts';
import { press } from './harness.ts';
import { addAuthenticator, startSignInScene, type SignInScene } from './people-server.ts';

const OTHER = 'seven wooden boats sail west';

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
  arabic: { locale: 'ar' },
};

const dialog = (page: Page) => page.getByRole('dialog');

/** Opens the account of a person by the menu at the name. */
async function openAccount(page: Page, { email }: Pick<Joined, 'email'>): Promise<void> {
  await page.getByRole('button', { name: `${email} Support` }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByRole('heading', { level: 2, name: 'Passkeys' }).waitFor();
}

/** Opens the dashboard as a person with a password. */
async function openAs(person: Joined, settings: BrowserContextOptions = {}, path = ''): Promise<Page> {
  const [name = '', value = ''] = person.cookie.split('=');
  const page = await scene.open('ready', settings);
  await page.context().addCookies([{ name, value, url: scene.url, httpOnly: true, sameSite: 'Strict' }]);
  await addAuthenticator(page);
  await page.goto(`${scene.url}/dashboard/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Opens the dashboard as a person who has a passkey alone. */
async function openWithPasskey(email: string): Promise<Page> {
  const page = await scene.open('ready');
  await addAuthenticator(page);
  await page.goto((await invite(scene.server, email)).invitationUrl ?? '');
  await press(page, 'Use a passkey');
  await page.getByRole('button', { name: `${email} Support` }).waitFor();
  return page;
}

/** Posts to a path of the own account with the proof of a passkey, and returns the answer. */
const ASKED = `(async ([path, id]) => {
  const post = async (to, body) => (await fetch('/dashboard/account' + to, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-paygraph-dashboard': '1' },
    body: JSON.stringify(body),
  })).text();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(await post('/proof', {})));
  const passkey = (await navigator.credentials.get({ publicKey })).toJSON();
  return post(path, { id, proof: { passkey } });
})`;

(browserRunsHere ? describe : describe.skip)('a person', () => {
  it('changes the password, and the session of another browser ends', async () => {
    const ada = await join(scene.server, 'ada@example.com');
    clock.advance(31_000);
    const other = pageOf(scene.server, cookieOf(await signInAs(scene.server, ada)));
    const page = await openAs(ada);
    await openAccount(page, ada);
    await press(page, 'Change password');
    await dialog(page).getByLabel('Present password').fill('wrong horse battery staple');
    await dialog(page).getByLabel('New password').fill(OTHER);
    await dialog(page).getByRole('button', { name: 'Change password' }).click();
    await dialog(page).getByText('The present password is wrong').waitFor();
    await dialog(page).getByLabel('Present password').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password was changed.').waitFor();

    expect((await askAs(scene.server, other)).status).toBe(401);
    clock.advance(31_000);
    expect((await signInAs(scene.server, ada)).status).toBe(401);
    expect((await signInAs(scene.server, ada, { password: OTHER })).status).toBe(200);
    await page.context().close();
  });

  it('renews the codes, and sees the new recovery codes once', async () => {
    const ben = await join(scene.server, 'ben@example.com');
    const page = await openAs(ben);
    await openAccount(page, ben);
    await press(page, 'Renew codes');
    const secret = ((await page.locator('.totp code').textContent()) ?? '').replaceAll(' ', '');
    await dialog(page).getByLabel('Code', { exact: true }).fill(codeAt(secret, clock.now()));
    await dialog(page).getByLabel('Present password').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Renew codes' }).click();
    await page.locator('.recovery-codes code').first().waitFor();
    const codes = await page.locator('.recovery-codes code').allTextContents();
    await press(page, 'I have kept them');

    expect(codes).toHaveLength(10);
    clock.advance(31_000);
    expect((await signInAs(scene.server, ben)).status).toBe(401);
    expect((await signInAs(scene.server, { ...ben, secret })).status).toBe(200);
    await page.context().close();
  });

  it('adds a passkey with a name, renames it, signs in with it and removes it', async () => {
    const cid = await join(scene.server, 'cid@example.com');
    const page = await openAs(cid);
    await openAccount(page, cid);
    await press(page, 'Add passkey');
    await dialog(page).getByLabel('Name').fill('Laptop');
    await dialog(page).getByLabel('Present password').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Add passkey' }).click();
    await press(page, 'Rename Laptop');
    await dialog(page).getByLabel('Name').fill('Old laptop');
    await press(page, 'Save');
    await page.getByText('Old laptop', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'cid@example.com Support' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await press(page, 'Sign in again');
    await press(page, 'Sign in with a passkey');
    await page.getByRole('heading', { level: 2, name: 'Passkeys' }).waitFor();
    await press(page, 'Remove Old laptop');
    await dialog(page).getByLabel('Present password').fill(PASSWORD);
    await press(page, 'Remove');
    await page.getByText('You have no passkey.').waitFor();

    expect(await scene.server.app.db.prisma.dashboardPasskey.count({ where: { personId: cid.id } })).toBe(0);
    await page.context().close();
  });

  it('keeps the only way to sign in, and proves with it', async () => {
    const page = await openWithPasskey('dan@example.com');
    await openAccount(page, { email: 'dan@example.com' });
    await page.getByText('Your only way to sign in').waitFor();
    const buttons = await page.getByRole('button', { name: /^Remove / }).count();
    const [passkey] = await scene.server.app.db.prisma.dashboardPasskey.findMany();
    // The page offers no removal, so a person would have to ask the server directly.
    const refused = await page.evaluate<string>(`${ASKED}(['/passkeys/remove', '${passkey?.id}'])`);
    const offered = await page.evaluate<string>(`${ASKED}(['/passkeys/challenge', ''])`);

    expect(await page.getByText('You sign in without a password.').count()).toBe(1);
    expect(buttons).toBe(0);
    expect(refused).toContain('This passkey is your only way to sign in.');
    expect(offered).toContain('"challenge"');
    expect(
      await scene.server.app.db.prisma.dashboardPasskey.count({ where: { id: passkey?.id ?? '' } }),
    ).toBe(1);
    await page.context().close();
  });

  it.each(Object.keys(LOOKS))('finds a page without faults, %s', async (look) => {
    const eva = await join(scene.server, `eva.${look}@example.com`);
    const page = await openAs(eva, { ...LOOKS[look], bypassCSP: true }, 'account');
    await page.locator('.case').nth(1).waitFor();
    const ofPage = await faultsOf(page);
    await page.locator('.case .button').nth(1).click();
    await page.locator('.totp .qr').waitFor();

    expect([ofPage, await faultsOf(page)]).toEqual([[], []]);
    await page.context().close();
  });
});
