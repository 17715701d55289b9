import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { App } from '../../app.ts';
import { isDuplicate } from '../../platform/database/db.ts';
import { isUuid } from '../../platform/ids.ts';
import type { OpenSession } from '../sessions/index.ts';
import { newChallenge, takeChallenge } from './challenge.ts';
import { actingAsPerson, enter, type Browser } from './enter.ts';
import { findInvited } from './join.ts';
import type { Person } from './person.ts';
import { recordRefusal } from './refusal.ts';
import { findPasskeysOf, insertPasskey, usePasskey, type Passkey } from './store/passkeys.ts';
import { findPersonById, takeInvitation } from './store/people.ts';

/** Returns the options with which a browser asks for a passkey, of the known ones or of any. The challenge counts once, for ten minutes. */
export async function offerPasskeySignIn(app: App, known: readonly Pick<Passkey, 'credentialId'>[] = []) {
  const challenge = decode(await newChallenge(app, 'passkey_sign_in'));
  const { generateAuthenticationOptions } = await webauthn();
  return await generateAuthenticationOptions({
    ...{ rpID: rpOf(app).id, challenge, userVerification: 'required' },
    allowCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
  });
}

/**
 * Signs a person in with a passkey. The authenticator must have verified the person, for example by a fingerprint. Null for a wrong
 * answer, a used challenge, and a count of signatures that did not grow. Commits twice: the challenge is used up first.
 */
export async function signInWithPasskey(
  app: App,
  response: AuthenticationResponseJSON,
  browser: Browser,
): Promise<OpenSession | null> {
  const personId = Buffer.from(response.response.userHandle ?? '', 'base64url').toString('utf8');
  const person = isUuid(personId) ? await findPersonById(app.db, personId) : null;
  const passkeys = person?.state === 'active' ? await findPasskeysOf(app.db, person) : [];
  const passkey = passkeys.find(({ credentialId }) => credentialId === response.id);
  const counter = passkey ? await verifyAnswer(app, response, passkey) : null;
  if (!person || !passkey || counter === null) {
    const reason = passkey ? 'wrong answer' : 'unknown passkey';
    const { merchantAccountId = '' } = person ?? {};
    await recordRefusal(app, { merchantAccountId, person, reason, signedInWith: 'passkey' }, browser);
    return null;
  }
  const acting = actingAsPerson(app, person, browser);
  return await acting.db.transaction(async (tx) =>
    (await usePasskey(tx, passkey, { counter, usedAt: app.clock.now() }))
      ? await enter(acting, tx, person, { browser, signedInWith: 'passkey' })
      : null,
  );
}

/** Checks the answer of a passkey. Returns the new count of signatures. Null for a wrong answer. */
export async function verifyAnswer(
  app: App,
  response: AuthenticationResponseJSON,
  passkey: Passkey,
): Promise<bigint | null> {
  const { id, origin } = rpOf(app);
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response,
    ...{ expectedRPID: id, expectedOrigin: origin, requireUserVerification: true },
    expectedChallenge: (challenge) => takeChallenge(app, 'passkey_sign_in', challenge),
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    // The library throws for each kind of wrong answer.
  }).catch(() => null);
  return verified?.verified ? BigInt(verified.authenticationInfo.newCounter) : null;
}

/** Returns the options with which an invited person makes a passkey. Null without an invitation that counts. */
export async function offerPasskey(app: App, ticket: string) {
  const person = await findInvited(app, ticket);
  return person && (await creationOptions(app, person));
}

/** Returns the options with which a person makes a passkey. The authenticators of the known ones make no second one. */
export async function creationOptions(
  app: App,
  { id, email }: Pick<Person, 'id' | 'email'>,
  known: readonly Pick<Passkey, 'credentialId'>[] = [],
) {
  const { generateRegistrationOptions } = await webauthn();
  return await generateRegistrationOptions({
    rpID: rpOf(app).id,
    rpName: 'Paygraph',
    userName: email,
    userID: Uint8Array.from(Buffer.from(id, 'utf8')),
    challenge: decode(await newChallenge(app, 'passkey_creation', id)),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Accepts an invitation with a passkey, and signs the person in. Null without an invitation that counts, and for a wrong answer.
 * Commits twice: the challenge is used up first.
 */
export async function joinWithPasskey(
  app: App,
  given: { readonly ticket: string; readonly response: RegistrationResponseJSON },
  browser: Browser,
): Promise<OpenSession | null> {
  const person = await findInvited(app, given.ticket);
  const digest = person?.invitationDigest ?? null;
  const passkey = person && (await created(app, person, given.response));
  if (!person || !passkey || digest === null) return null;
  const acting = actingAsPerson(app, person, browser);
  // The offered shared secret belongs to a password, which this person does not have.
  const changes = { sealedTotp: null, updatedAt: app.clock.now() };
  try {
    return await acting.db.transaction(async (tx) => {
      if (!(await takeInvitation(tx, person, digest, changes))) return null;
      await insertPasskey(tx, passkey);
      return await enter(acting, tx, person, { browser, signedInWith: 'passkey' });
    });
  } catch (error) {
    if (isDuplicate(error)) return null;
    throw error;
  }
}

/** Checks a new passkey. Null for a wrong answer. */
export async function created(
  app: App,
  person: Pick<Person, 'merchantAccountId' | 'id'>,
  response: RegistrationResponseJSON,
): Promise<Passkey | null> {
  const { id, origin } = rpOf(app);
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response,
    ...{ expectedRPID: id, expectedOrigin: origin, requireUserVerification: true },
    expectedChallenge: (challenge) => takeChallenge(app, 'passkey_creation', challenge, person.id),
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  return {
    merchantAccountId: person.merchantAccountId,
    id: app.ids.uuid(),
    personId: person.id,
    name: null,
    credentialId: credential.id,
    publicKey: Uint8Array.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: [...(credential.transports ?? [])],
    createdAt: app.clock.now(),
    lastUsedAt: null,
  };
}

/** Loads the library at the first passkey. Its files take 8 MB, which a process at rest saves. */
const webauthn = () => import('@simplewebauthn/server');

/** Returns the party that passkeys belong to: the host and the origin of the public address. */
function rpOf({ publicUrl }: Pick<App, 'publicUrl'>): { readonly id: string; readonly origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

const decode = (challenge: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(challenge, 'base64url'));
