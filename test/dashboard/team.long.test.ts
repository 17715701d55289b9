import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askAs, pageOf } from '../sessions/browser-fetch.ts';
import { join } from '../people/people.ts';
import { browserRunsHere } from '../support/browser.ts';
import { createService } from '../transactions/harness.ts';
import { press } from './harness.ts';
import { startSignInScene, type SignInScene } from './people-server.ts';
import { createPayment } from './seed.ts';

let scene: SignInScene;
beforeAll(async () => {
  if (!browserRunsHere) return;
  scene = await startSignInScene();
  await createService(scene.server, null, { currencies: ['EUR'] });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await scene.stop();
});

/** Opens a page of the dashboard as a person of a role, who accepts an invitation first. */
async function openAs(email: string, role: string, path: string) {
  const person = await join(scene.server, email, role);
  const [name = '', value = ''] = person.cookie.split('=');
  const page = await scene.open('ready');
  await page.context().addCookies([{ name, value, url: scene.url, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(`${scene.url}/dashboard/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, person, headers: pageOf(scene.server, person.cookie) };
}

/** Makes a captured payment, and returns its id. */
const captured = (): Promise<string> => createPayment(scene.server, { amount: 1299 });

(browserRunsHere ? describe : describe.skip)('an owner', () => {
  it('invites a person, changes the role, suspends the person and sees the session end', async () => {
    const ben = await join(scene.server, 'ben@example.com', 'ANALYST');
    const { page } = await openAs('ada@example.com', 'OWNER', 'team');
    await press(page, 'Invite a person');
    await page.getByRole('dialog').getByLabel('E-mail address').fill('cid@example.com');
    await page.getByRole('dialog').getByLabel('Role').selectOption('DEVELOPER');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite a person' }).click();
    const url = await page.locator('.secret .copy').textContent();
    await press(page, 'Done');
    await press(page, 'Acts for ben@example.com');
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Suspended').waitFor();

    expect(url).toContain(`${scene.url}/dashboard/join#`);
    expect(await page.getByText('cid@example.com').count()).toBe(1);
    expect((await askAs(scene.server, pageOf(scene.server, ben.cookie))).status).toBe(401);
    await page.context().close();
  });

  it('ends the session of another person, and finds who did what in the audit log', async () => {
    const dan = await join(scene.server, 'dan@example.com', 'SUPPORT');
    const { page } = await openAs('eva@example.com', 'OWNER', 'team');
    const row = page
      .getByRole('grid', { name: 'Sessions' })
      .getByRole('row')
      .filter({ hasText: 'dan@example.com' });
    await row.getByRole('button', { name: 'End the session' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Change, such as').fill('dashboard-session.updated');
    await page.getByRole('row').filter({ hasText: 'eva@example.com (Person)' }).first().waitFor();
    await page.getByLabel('Change, such as').fill('');
    await page.getByLabel('Name of the person').fill('DAN@example.com');
    const rows = page.getByRole('grid', { name: 'Audit log' }).getByRole('row');
    await rows.filter({ hasText: 'dan@example.com (Person)' }).first().waitFor();
    await rows.filter({ hasText: 'eva@example.com (Person)' }).first().waitFor({ state: 'detached' });

    expect((await askAs(scene.server, pageOf(scene.server, dan.cookie))).status).toBe(401);
    await page.context().close();
  });
});

(browserRunsHere ? describe : describe.skip)('a role', () => {
  const REFUND =
    'mutation ($id: ID!) { refundTransaction(id: $id, input: { amount: 100 }) { userErrors { code } } }';
  const refund = (headers: Record<string, string>, id: string) =>
    scene.server.graphql<{ refundTransaction: { userErrors: unknown[] } }>(
      REFUND,
      { id },
      { token: null, headers },
    );

  it('of an analyst has no button to refund, and the API refuses the refund', async () => {
    const id = await captured();
    const { page, headers } = await openAs('fay@example.com', 'ANALYST', `payments/${id}`);
    await page.getByText('12.99').first().waitFor();

    expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0);
    expect((await refund(headers, id)).body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    await page.context().close();
  });

  it('of support refunds, and cannot touch keys or people', async () => {
    const id = await captured();
    const { page, headers } = await openAs('gus@example.com', 'SUPPORT', `payments/${id}`);
    await page.getByRole('button', { name: 'Refund' }).waitFor();
    const refunded = await refund(headers, id);
    const key = await askAs(
      scene.server,
      headers,
      'mutation { createApiKeyPair(input: { displayName: "x", scopes: ["*.read"] }) { userErrors { code } } }',
    );
    const person = await askAs(
      scene.server,
      headers,
      'mutation { inviteDashboardPerson(input: { email: "x@example.com", role: OWNER }) { userErrors { code } } }',
    );

    expect(refunded.body.data?.refundTransaction.userErrors).toEqual([]);
    expect([key, person].map(({ body }) => body.errors?.[0]?.extensions.code)).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
    ]);
    expect(await page.getByRole('link', { name: 'Team' }).count()).toBe(0);
    await page.context().close();
  });
});
