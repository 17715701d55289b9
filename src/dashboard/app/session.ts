/** The signed-in person, as the server describes the session. */
export type Session = {
  readonly person: string;
  readonly role: 'owner' | 'developer' | 'support' | 'analyst';
  readonly scopes: readonly string[];
  readonly merchantAccountId: string;
  readonly environment: 'production' | 'sandbox';
  readonly expiresAt: string;
};

/** The server signed nobody in. `code` and the message are the server's. */
export class SignInError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The header of each request. Only a page of the dashboard can send it. */
export const OWN_PAGE = { 'x-paygraph-dashboard': '1' } as const;

/** Returns an address below the public address of the service, such as `graphql`. */
export const addressOf = (path: string): string => new URL(`../${path}`, document.baseURI).href;

/** Renews the session, or signs in where the server needs no credentials. Throws a `SignInError` if nobody is signed in. */
export async function openSession(): Promise<Session> {
  const response = await fetch(addressOf('dashboard/session'), { method: 'POST', headers: OWN_PAGE });
  const body = (await response.json()) as Session | { readonly errors: readonly Refused[] };
  if (!('errors' in body)) return body;
  const [refused] = body.errors;
  throw new SignInError(refused?.extensions?.code ?? 'UNKNOWN', refused?.message ?? response.statusText);
}

type Refused = { readonly message: string; readonly extensions?: { readonly code?: string } };

/** Signs out, on the server too. */
export async function closeSession(): Promise<void> {
  await fetch(addressOf('dashboard/session'), { method: 'DELETE', headers: OWN_PAGE });
}
