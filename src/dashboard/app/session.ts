/** The signed-in person, as the server describes the session. */
export type Session = {
  readonly person: string;
  /** The record of the person. Null for the visitor of a sandbox. */
  readonly personId: string | null;
  readonly role: 'owner' | 'developer' | 'support' | 'analyst';
  readonly scopes: readonly string[];
  readonly merchantAccountId: string;
  readonly environment: 'production' | 'sandbox';
  readonly expiresAt: string;
};

/** The server signed nobody in. `code` and the message are the server's. */
export class SignInError extends Error {
  readonly code: string;
  /** True if the server leads to an identity provider. */
  readonly hasProvider: boolean;

  constructor(code: string, message: string, hasProvider = false) {
    super(message);
    this.code = code;
    this.hasProvider = hasProvider;
  }
}

/** The header of each request. Only a page of the dashboard can send it. */
export const OWN_PAGE = { 'x-paygraph-dashboard': '1' } as const;

/** Returns an address below the public address of the service, such as `graphql`. */
export const addressOf = (path: string): string => new URL(`../${path}`, document.baseURI).href;

/** Renews the session, or signs in where the server needs no credentials. Throws a `SignInError` if nobody is signed in. */
export const openSession = (): Promise<Session> => ask<Session>('session');

/** Posts to a path of the dashboard. Throws a `SignInError` with the sentence of the server. */
export async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(addressOf(`dashboard/${path}`), {
    method: 'POST',
    headers: { ...OWN_PAGE, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer | { readonly errors: readonly Refused[] };
  if (typeof answer !== 'object' || answer === null || !('errors' in answer)) return answer;
  const [refused] = answer.errors;
  const { code = 'UNKNOWN', provider = false } = refused?.extensions ?? {};
  throw new SignInError(code, refused?.message ?? response.statusText, provider);
}

type Refused = {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly provider?: boolean };
};

/** The browsers that a sign-out reaches: this one, or all of the person. */
export type Leaving = 'this' | 'all';

/** Signs out, on the server too. */
export async function closeSession(leaving: Leaving): Promise<void> {
  const path = leaving === 'all' ? 'dashboard/sessions' : 'dashboard/session';
  await fetch(addressOf(path), { method: 'DELETE', headers: OWN_PAGE });
}
