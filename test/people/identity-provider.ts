import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

/** The claims of a provider about one person. */
export type Account = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
};

/** A conforming provider on this machine, which signs the chosen person in without a question. */
export type IdentityProvider = {
  readonly issuer: string;
  /** The person of the next visits. Null refuses the visit. */
  person: Account | null;
  /** Registers the address to which the provider sends browsers back. */
  register(returnAddress: string): void;
  close(): Promise<void>;
};

export const CLIENT = { id: 'paygraph', secret: 'a secret of the provider for paygraph, in a test' } as const;

/** Starts the provider. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let handle: ReturnType<Provider['callback']> | null = null;
  const server = createServer((request, response) => void handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const known = new Map<string, Account>();
  const self: IdentityProvider = {
    issuer,
    person: null,
    register: (returnAddress) => {
      handle = open(issuer, { returnAddress, known, person: () => self.person });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

type Opened = {
  readonly returnAddress: string;
  readonly known: Map<string, Account>;
  readonly person: () => Account | null;
};

function open(issuer: string, { returnAddress, known, person }: Opened): ReturnType<Provider['callback']> {
  const provider = new Provider(issuer, configurationOf(returnAddress, known));
  const answer = provider.callback();
  return async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return await answer(request, response);
    const account = person();
    if (account) known.set(account.sub, account);
    const result = account
      ? { login: { accountId: account.sub } }
      : { error: 'access_denied', error_description: 'The person said no.' };
    return await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
}

const configurationOf = (returnAddress: string, known: ReadonlyMap<string, Account>): Configuration => ({
  clients: [
    {
      ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [returnAddress] },
      ...{ grant_types: ['authorization_code'], response_types: ['code'] },
    },
  ],
  claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['a key of a test'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  pkce: { required: () => true },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...known.get(sub), sub }) }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId,
      accountId: oidc.session?.accountId,
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});
