import { TOTP, Secret } from 'otpauth';
import { pageOf } from '../sessions/browser-fetch.ts';
import type { TestServer } from '../support/server.ts';

export const PASSWORD = 'correct horse battery staple';

/** A service in this process, or in a process of its own. */
export type Host = Pick<TestServer, 'url' | 'graphql'> & Partial<Pick<TestServer, 'mint' | 'app'>>;

/** Posts to the dashboard's own paths as its page does. */
export const post = (
  server: Pick<TestServer, 'url'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = pageOf(server),
): Promise<Response> =>
  fetch(`${server.url}/dashboard/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

type Payload = {
  readonly person: { readonly id: string; readonly state: string } | null;
  readonly invitationUrl: string | null;
  readonly userErrors: readonly {
    readonly code: string;
    readonly path: readonly string[];
    readonly message: string;
  }[];
};

/** Invites a person, and returns the answer. */
export async function invite(
  server: Omit<Host, 'url'>,
  email: string,
  role = 'SUPPORT',
  options?: Parameters<TestServer['graphql']>[2],
): Promise<Payload> {
  const { body } = await server.graphql<{ inviteDashboardPerson: Payload }>(
    `mutation ($email: String!, $role: DashboardRole!) { inviteDashboardPerson(input: { email: $email, role: $role }) {
       person { id state } invitationUrl userErrors { code path message } } }`,
    { email, role },
    // The clock of a test may be past the life of the server's own token.
    options ?? (server.mint ? { token: await server.mint() } : {}),
  );
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.inviteDashboardPerson;
}

/** Returns the secret part of an invitation's address. */
export const ticketOf = ({ invitationUrl }: Pick<Payload, 'invitationUrl'>): string =>
  (invitationUrl ?? '').split('#')[1] ?? '';

/** Returns the one-time code of a shared secret at a moment. */
export const codeAt = (secret: string, now: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });

/** A person with a password, and the means to sign in. */
export type Joined = {
  readonly id: string;
  readonly email: string;
  readonly secret: string;
  /** The one-time code that accepted the invitation. */
  readonly code: string;
  readonly recoveryCodes: readonly string[];
  readonly cookie: string;
};

/** Invites a person, who accepts with a password. */
export async function join(server: Host, email: string, role = 'SUPPORT'): Promise<Joined> {
  const invited = await invite(server, email, role);
  const ticket = ticketOf(invited);
  const opened = (await (await post(server, 'invitation', { ticket })).json()) as { totpSecret: string };
  const code = codeAt(opened.totpSecret, server.app?.clock.now() ?? new Date());
  const response = await post(server, 'invitation/password', { ticket, password: PASSWORD, code });
  const body = (await response.json()) as { recoveryCodes: string[] };
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    id: invited.person?.id ?? '',
    email,
    secret: opened.totpSecret,
    code,
    recoveryCodes: body.recoveryCodes,
    cookie,
  };
}

/** Signs a person in with a password and the code of the clock. `changes` replaces parts of the form. */
export const signInAs = (
  server: TestServer,
  { email, secret }: Pick<Joined, 'email' | 'secret'>,
  changes: Readonly<Record<string, string>> = {},
  headers?: Record<string, string>,
): Promise<Response> =>
  post(
    server,
    'sign-in',
    {
      ...{ merchantAccountId: 'default', email, password: PASSWORD },
      code: codeAt(secret, server.app.clock.now()),
      ...changes,
    },
    headers,
  );
