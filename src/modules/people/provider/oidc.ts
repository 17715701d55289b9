import * as client from 'openid-client';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isDuplicate } from '../../../platform/database/db.ts';
import type { Config } from '../../../platform/process/config.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from '../../accounts/index.ts';
import { changeRoleOf, digestOf, type OpenSession } from '../../sessions/index.ts';
import { newChallenge, takeChallenge } from '../challenge.ts';
import { actingAsPerson, enter, type Browser } from '../enter.ts';
import { grantOf, type Grant } from './grant.ts';
import { fetchOver } from './provider-fetch.ts';
import { recordRefusal } from '../refusal.ts';
import { changePerson, findPersonNamed, insertPerson } from '../store/people.ts';

/** True if an identity provider is configured. */
export const hasProvider = ({ PAYGRAPH_OIDC_ISSUER: issuer }: Config): boolean => issuer !== undefined;

/** The way of a browser to the identity provider. The cookie of the browser holds the ticket until the browser comes back. */
export type ProviderVisit = { readonly ticket: string; readonly url: string };

/** Why nobody was signed in. The message says what to do, and holds nothing of the provider's answer. */
export type OidcRefusal = { readonly kind: 'OidcRefusal'; readonly message: string };

const refusal = (message: string) => refuse<OidcRefusal>({ kind: 'OidcRefusal', message });

/**
 * Begins a sign-in at the identity provider: authorisation code with PKCE, state and nonce. All three come from one ticket, which
 * only the browser has and which counts once.
 */
export async function beginAtProvider(app: App): Promise<Result<ProviderVisit, OidcRefusal>> {
  const provider = await discover(app).catch((error: unknown) => failed(app, error));
  if (!provider) return refusal(UNREACHABLE);
  const ticket = await newChallenge(app, 'oidc');
  const { state, nonce, verifier } = secretsOf(ticket);
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: returnAddress(app),
    scope: app.config.PAYGRAPH_OIDC_SCOPES,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...{ state, nonce },
  });
  return ok({ ticket, url: url.href });
}

/** The address to which the provider sends the browser back. The provider must know exactly this address. */
export const returnAddress = ({ publicUrl }: Pick<App, 'publicUrl'>): string =>
  `${publicUrl}/dashboard/sign-in/oidc/callback`;

/** Each secret is a digest of the ticket, so that none of them has to be stored. */
const secretsOf = (ticket: string) => ({
  state: digestOf(`state ${ticket}`),
  nonce: digestOf(`nonce ${ticket}`),
  verifier: digestOf(`verifier ${ticket}`),
});

/**
 * Ends a sign-in at the identity provider, with the query of the callback. The groups of the person decide merchant account and
 * role at each sign-in. Refuses a person without such a group, and a suspended person. Commits twice: the ticket is used up first.
 */
export async function returnFromProvider(
  app: App,
  { ticket, query }: { readonly ticket: string; readonly query: string },
  browser: Browser,
): Promise<Result<OpenSession, OidcRefusal>> {
  if (!(await takeChallenge(app, 'oidc', ticket))) return refusal(LATE);
  const claims = await claimsOf(app, ticket, query).catch((error: unknown) => failed(app, error));
  if (!claims) return refusal(NOT_SIGNED_IN);
  const { PAYGRAPH_OIDC_ROLES: roles, PAYGRAPH_OIDC_GROUPS_CLAIM: claim } = app.config;
  const grant = grantOf(claims, roles, claim);
  if (!grant) {
    const reason = `no group in ${claim}`;
    const nobody = { merchantAccountId: DEFAULT_MERCHANT_ACCOUNT, person: null };
    await recordRefusal(app, { ...nobody, reason, signedInWith: 'oidc' }, browser);
    return refusal(NO_GROUP);
  }
  const open = await enterGranted(app, grant, browser);
  return open ? ok(open) : refusal(SUSPENDED);
}

const UNREACHABLE = 'The identity provider does not answer. Try again later. The log of the server says why.';
const LATE = 'This sign-in took too long, or it was used already. Start again.';
const NOT_SIGNED_IN =
  'The identity provider did not confirm the sign-in. Start again. The log of the server says why.';
const NO_GROUP =
  'None of your groups has a role at this dashboard. Ask whoever operates it to add one to PAYGRAPH_OIDC_ROLES.';
const SUSPENDED = 'You may not sign in here at present. Ask an owner.';

/** Exchanges the code. Checks state, nonce, PKCE, issuer, audience, expiry and the signature of the ID token. */
async function claimsOf(app: App, ticket: string, query: string) {
  const provider = await discover(app);
  const { state, nonce, verifier } = secretsOf(ticket);
  const tokens = await client.authorizationCodeGrant(provider, new URL(`${returnAddress(app)}?${query}`), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider sent no ID token.');
  const isComplete =
    claims[app.config.PAYGRAPH_OIDC_GROUPS_CLAIM] !== undefined && claims['email'] !== undefined;
  if (isComplete || !provider.serverMetadata().userinfo_endpoint) return claims;
  return { ...(await client.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
}

/** Logs a failure without the provider's text, which may hold tokens. */
function failed(app: App, error: unknown): null {
  const refusal = z.object({ error: z.string() }).partial().safeParse(error).data ?? {};
  const because =
    error instanceof Error && error.cause instanceof OperatorError ? { because: error.cause.message } : {};
  app.log.error(
    { err: error, ...because, refusal: refusal.error },
    'The identity provider gave no usable answer.',
  );
  return null;
}

/** Keeps what the provider says about a person, and signs the person in. Null for a suspended person. */
async function enterGranted(app: App, grant: Grant, browser: Browser): Promise<OpenSession | null> {
  const { merchantAccountId, role, email, subject } = grant;
  const now = app.clock.now();
  const known = await findPersonNamed(app.db, merchantAccountId, { subject });
  const id = known?.id ?? app.ids.uuid();
  const signedInWith = 'oidc';
  if (known?.state === 'suspended') {
    await recordRefusal(
      app,
      { merchantAccountId, person: known, reason: 'not active', signedInWith },
      browser,
    );
    return null;
  }
  const acting = actingAsPerson(app, { id, email }, browser);
  const named = { merchantAccountId, id, email, role, subject, state: 'active' };
  const invitation = { invitationDigest: null, invitationExpiresAt: null };
  try {
    return await acting.db.transaction(async (tx) => {
      if (known) {
        await changePerson(tx, known, { email, role, updatedAt: now });
        await changeRoleOf(tx, { merchantAccountId, personId: id }, role);
      } else await insertPerson(tx, { ...named, ...invitation, createdAt: now, updatedAt: now });
      return await enter(acting, tx, { merchantAccountId, id }, { browser, signedInWith });
    });
  } catch (error) {
    // Two first sign-ins of one person at once.
    if (!known && isDuplicate(error)) return await enterGranted(app, grant, browser);
    throw error;
  }
}

/** Returns what the provider says about itself, read once. A failed read is repeated at the next sign-in. */
function discover(app: App): Promise<client.Configuration> {
  const known = discovered.get(app.config);
  if (known) return known;
  const {
    PAYGRAPH_OIDC_ISSUER: issuer,
    PAYGRAPH_OIDC_CLIENT_ID: id,
    PAYGRAPH_OIDC_CLIENT_SECRET: secret,
  } = app.config;
  if (issuer === undefined || id === undefined) throw new Error('No identity provider is configured.');
  const auth = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  const execute = [
    // The signature of the ID token is checked although it comes over TLS.
    client.enableNonRepudiationChecks,
    // oxlint-disable-next-line typescript/no-deprecated -- the mark is a warning, and the sandbox may speak http
    ...(app.config.production ? [] : [client.allowInsecureRequests]),
  ];
  const reading = client.discovery(new URL(issuer), id, undefined, auth, {
    execute,
    [client.customFetch]: fetchOver(app),
  });
  discovered.set(app.config, reading);
  reading.catch(() => discovered.delete(app.config));
  return reading;
}

const discovered = new WeakMap<Config, Promise<client.Configuration>>();
