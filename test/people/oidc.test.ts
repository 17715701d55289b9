import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { askAs, pageOf } from '../sessions/browser-fetch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CLIENT, startIdentityProvider, type IdentityProvider } from './identity-provider.ts';
import { PASSWORD, post } from './people.ts';

const ROLES = 'Payments Owners=owner,desk=support,desk-eu=support@acme';

let provider: IdentityProvider;
let server: TestServer;
beforeAll(async () => {
  provider = await startIdentityProvider();
  server = await startTestServer({
    sharesToken: false,
    settings: {
      ...{ PAYGRAPH_OIDC_ISSUER: provider.issuer, PAYGRAPH_OIDC_CLIENT_ID: CLIENT.id },
      ...{ PAYGRAPH_OIDC_CLIENT_SECRET: CLIENT.secret, PAYGRAPH_OIDC_ROLES: ROLES },
    },
  });
  provider.register(`${server.url}/dashboard/sign-in/oidc/callback`);
});
afterAll(async () => {
  await server.stop();
  await provider.close();
});
afterEach(() => {
  provider.person = null;
});

/** A browser without a screen: it keeps the cookies of each origin, and follows redirects. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  cookieOf(url: string): string {
    const own = this.#cookies.get(new URL(url).origin) ?? new Map<string, string>();
    return [...own].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async get(url: string): Promise<Response> {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookieOf(url) } });
    const { origin } = new URL(url);
    const own = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, own);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') own.delete(name);
      else own.set(name, value);
    }
    return response;
  }

  /** Follows redirects until an address of the server that `stops`, or until an answer without one. */
  async follow(
    url: string,
    stops: (url: string) => boolean = () => false,
  ): Promise<readonly [string, Response | null]> {
    if (stops(url)) return [url, null];
    const response = await this.get(url);
    const to = response.headers.get('location');
    return to === null ? [url, response] : await this.follow(new URL(to, url).href, stops);
  }
}

const start = (): string => `${server.url}/dashboard/sign-in/oidc`;
const isBack = (url: string): boolean => url.startsWith(`${server.url}/dashboard/sign-in/oidc/callback`);

/** Signs the person of the provider in, and returns the browser with the last answer. */
async function signIn(browser = new Browser()) {
  const [url, response] = await browser.follow(start());
  return { browser, url, text: (await response?.text()) ?? '' };
}

const sessions = () => server.app.db.prisma.dashboardSession.findMany({ orderBy: { id: 'asc' } });

describe('a person of an identity provider', () => {
  it('signs in with the role of the first rule, and the session lasts 12 hours', async () => {
    provider.person = {
      sub: 'u1',
      email: 'Ada@Example.com',
      email_verified: true,
      groups: ['desk', 'Payments Owners'],
    };
    const { browser, url } = await signIn();
    const session = (await sessions()).at(-1);

    expect(url).toBe(`${server.url}/dashboard`);
    expect(session).toMatchObject({ person: 'ada@example.com', role: 'owner', signedInWith: 'oidc' });
    expect((session?.expiresAt.getTime() ?? 0) - (session?.createdAt.getTime() ?? 0)).toBe(12 * 3_600_000);
    const headers = pageOf(server, browser.cookieOf(server.url));
    expect((await askAs(server, headers, '{ apiKeyPairs { nodes { id } } }')).status).toBe(200);
  });

  it('changes neither password nor passkeys here, because the provider keeps them', async () => {
    provider.person = { sub: 'u9', email: 'zoe@example.com', email_verified: true, groups: ['desk'] };
    const { browser } = await signIn();
    const headers = pageOf(server, browser.cookieOf(server.url));
    const ask = (path: string, body: object = {}) => post(server, `account${path}`, body, headers);
    const refused = await Promise.all([
      ask('/password', { proof: { password: PASSWORD }, newPassword: 'seven wooden boats sail west' }),
      ask('/passkeys/challenge', { proof: { password: PASSWORD } }),
      ask('/passkeys/name', { id: server.app.ids.uuid(), name: 'Phone' }),
    ]);
    const messages = await Promise.all(refused.map((response) => response.text()));

    expect(await (await ask('')).json()).toMatchObject({ usesIdentityProvider: true, hasPassword: false });
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    for (const message of messages) expect(message).toContain('The identity provider decides');
    const { id } = await server.app.db.prisma.dashboardPerson.findFirstOrThrow({
      where: { email: 'zoe@example.com' },
    });
    expect(await server.app.db.prisma.dashboardPasskey.count({ where: { personId: id } })).toBe(0);
  });

  it('is one person, whose role follows the groups', async () => {
    provider.person = { sub: 'u2', email: 'ben@example.com', groups: ['Payments Owners'] };
    const first = pageOf(server, (await signIn()).browser.cookieOf(server.url));
    provider.person = { sub: 'u2', email: 'benjamin@example.com', groups: ['desk'] };
    await signIn();
    const people = await server.app.db.prisma.dashboardPerson.findMany({
      where: { subject: { endsWith: ' u2' } },
    });

    expect(people).toMatchObject([{ email: 'benjamin@example.com', role: 'support', state: 'active' }]);
    expect(
      (await askAs(server, first, '{ apiKeyPairs { nodes { id } } }')).body.errors?.[0]?.extensions.code,
    ).toBe('FORBIDDEN');
  });

  it('has the merchant account of the rule alone', async () => {
    await server.graphql(
      'mutation { createMerchantAccount(input: { id: "acme", displayName: "Acme" }) { userErrors { code } } }',
    );
    provider.person = { sub: 'u3', groups: ['desk-eu'] };
    await signIn();

    expect((await sessions()).at(-1)).toMatchObject({ merchantAccountId: 'acme', person: 'u3' });
  });

  it('has no name that the provider has not verified', async () => {
    provider.person = { sub: 'u4', email: 'ada@example.com', email_verified: false, groups: ['desk'] };
    await signIn();

    expect((await sessions()).at(-1)).toMatchObject({ person: 'u4' });
  });

  it('is refused without a group, and while suspended', async () => {
    const before = (await sessions()).length;
    provider.person = { sub: 'u5', groups: ['others'] };
    const none = await signIn();
    await server.app.db.prisma.dashboardPerson.updateMany({
      where: { subject: { endsWith: ' u1' } },
      data: { state: 'suspended' },
    });
    provider.person = { sub: 'u1', groups: ['desk'] };
    const suspended = await signIn();

    expect(none.text).toContain('None of your groups has a role');
    expect(suspended.text).toContain('You may not sign in here at present.');
    expect((await sessions()).length).toBe(before);
  });

  it('is told that the provider said no', async () => {
    const { text } = await signIn();

    expect(text).toContain('The identity provider did not confirm the sign-in.');
    expect(server.logs()).not.toContain('The person said no.');
  });
});

describe('the way back', () => {
  it('counts once, in the browser that began, and with the state of the beginning', async () => {
    const before = (await sessions()).length;
    provider.person = { sub: 'u6', groups: ['desk'] };
    const [mine, other] = [new Browser(), new Browser()];
    const [back] = await mine.follow(start(), isBack);
    const [otherBack] = await other.follow(start(), isBack);
    const foreign = await other.get(back);
    const withoutBrowser = await new Browser().get(otherBack);
    const own = await mine.get(back);
    const again = await mine.get(back);

    expect([foreign.status, withoutBrowser.status, own.status, again.status]).toEqual([403, 403, 303, 403]);
    expect((await sessions()).length).toBe(before + 1);
  });

  it('leads to the dashboard alone, whatever the query says', async () => {
    provider.person = { sub: 'u6', groups: ['desk'] };
    const browser = new Browser();
    const [back] = await browser.follow(
      `${start()}?returnTo=https://evil.example&next=//evil.example`,
      isBack,
    );
    const response = await browser.get(`${back}&redirect=https://evil.example`);

    expect(response.headers.get('location')).toBe(`${server.url}/dashboard`);
    expect(response.headers.getSetCookie().join('\n')).toMatch(
      /paygraph_session_\d+=[\w-]{36}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/,
    );
  });

  it('keeps no secret in the database', async () => {
    const browser = new Browser();
    const response = await browser.get(start());
    const asked = new URL(response.headers.get('location') ?? '').searchParams;
    const rows = JSON.stringify(await server.app.db.prisma.dashboardChallenge.findMany());

    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const kept of [asked.get('state'), asked.get('nonce'), browser.cookieOf(server.url).split('=')[1]])
      expect([String(kept).length, rows.includes(String(kept))]).toEqual([43, false]);
  });
});

it('says which part of the answer is missing when the provider is away', async () => {
  const away = await startTestServer({
    sharesToken: false,
    settings: {
      ...{ PAYGRAPH_OIDC_ISSUER: 'http://127.0.0.1:9', PAYGRAPH_OIDC_CLIENT_ID: 'x' },
      PAYGRAPH_OIDC_ROLES: 'a=owner',
    },
  });
  const response = await fetch(`${away.url}/dashboard/sign-in/oidc`, { redirect: 'manual' });

  expect(response.status).toBe(403);
  expect(await response.text()).toContain('The identity provider does not answer.');
  expect(away.logs()).toContain('PAYGRAPH_OIDC_ISSUER');
  await away.stop();
});
