import { join as joined } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { codeAt, invite, join, PASSWORD } from '../people/people.ts';
import { press } from './harness.ts';
import { startSignInScene, type SignInScene } from './people-server.ts';

/** A page that a person without a session sees. */
type PeopleScene = {
  /** Returns the address below the service. The address of an invitation counts once, so each look has its own. */
  readonly path: (scene: SignInScene, look: string) => Promise<string>;
  readonly act?: (page: Page) => Promise<unknown>;
};

const EMAIL = 'mina.okafor@example.org';

const signIn = async (): Promise<string> => 'dashboard';

const invitation =
  (name: string) =>
  async ({ server, url }: SignInScene, look: string): Promise<string> =>
    ((await invite(server, `${name}.${look}@example.org`)).invitationUrl ?? '').slice(url.length + 1);

const PEOPLE: Readonly<Record<string, PeopleScene>> = {
  'sign-in': { path: signIn },
  'sign-in-code': {
    path: signIn,
    act: async (page) => {
      await page.getByLabel('E-mail address').fill(EMAIL);
      await page.getByLabel('Password').fill(PASSWORD);
      await press(page, 'Continue');
      await page.getByLabel('Code', { exact: true }).waitFor();
    },
  },
  join: { path: invitation('ada.novak'), act: (page) => page.locator('.qr').waitFor() },
  'join-codes': {
    path: invitation('liam.berg'),
    act: async (page) => {
      const secret = ((await page.locator('.totp code').textContent()) ?? '').replaceAll(' ', '');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, new Date()));
      await press(page, 'Accept');
      await page.locator('.recovery-codes code').first().waitFor();
    },
  },
  'join-unknown': { path: async () => 'dashboard/join#none' },
};

type Pictures = {
  readonly folder: string;
  readonly looks: Readonly<Record<string, BrowserContextOptions>>;
  /** Tells whether a picture of this name is wanted. */
  readonly isWanted: (name: string) => boolean;
};

/** Takes pictures of the pages before a session: the sign-in and the invitation. */
export async function takePeople({ folder, looks, isWanted }: Pictures): Promise<void> {
  const wanted = Object.entries(PEOPLE)
    .flatMap(([name, each]) =>
      Object.keys(looks).map((look) => ({ ...each, look, name: `dashboard-${name}-${look}` })),
    )
    .filter(({ name }) => isWanted(name));
  if (wanted.length === 0) return;
  const scene = await startSignInScene();
  try {
    await join(scene.server, EMAIL);
    for (const { path, act, look, name } of wanted) {
      const page = await scene.open(await path(scene, look), looks[look]);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await act?.(page);
      const file = joined(folder, `${name}.png`);
      await page.screenshot({ path: file });
      await page.context().close();
      process.stdout.write(`${file}\n`);
    }
  } finally {
    await scene.stop();
  }
}
