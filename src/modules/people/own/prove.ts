import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { networkOf } from '../../../platform/http/network.ts';
import { actingAsPerson, type Browser } from '../enter.ts';
import { OF_PROVIDER } from '../invite.ts';
import { offerPasskeySignIn, verifyAnswer } from '../passkeys.ts';
import { PASSWORD_MAX, verifyPassword } from '../password.ts';
import { recordRefusal } from '../refusal.ts';
import { LIMITS } from '../sign-in.ts';
import { claimAttempt, settleAttempt } from '../store/attempts.ts';
import { findPasskeysOf, usePasskey } from '../store/passkeys.ts';
import type { PersonWithSecrets } from '../store/people.ts';
import { findSelf, type Self } from './account.ts';

/** The proof that the person is there: the present password, or the answer of a passkey. */
export type Proof = {
  readonly password?: string | undefined;
  readonly passkey?: AuthenticationResponseJSON | undefined;
};

/** Returns the options with which a person without a password proves to be there. Null for the visitor of a sandbox. */
export async function offerProof(app: App, self: Self) {
  const person = await findSelf(app, self);
  return person && (await offerPasskeySignIn(app, await findPasskeysOf(app.db, person)));
}

/**
 * Checks the proof of a person. A person with a password proves with the password. Wrong attempts count like those at the sign-in,
 * and the audit log has each of them. Returns the reason of a refusal. Commits twice: the attempt counts as failed at first.
 */
export async function refuseProof(
  app: App,
  person: PersonWithSecrets,
  proof: Proof,
  browser: Browser,
): Promise<InvalidInput | null> {
  const ofProvider = refuseOfProvider(person);
  if (ofProvider) return ofProvider;
  const hasPassword = person.passwordHash !== null;
  const isRight = hasPassword
    ? await provesPassword(app, person, proof.password ?? '', browser)
    : await provesPasskey(app, person, proof.passkey);
  if (isRight) return null;
  const signedInWith = hasPassword ? 'password' : 'passkey';
  const { merchantAccountId } = person;
  const reason = 'wrong proof at the own account';
  await recordRefusal(app, { merchantAccountId, person, reason, signedInWith }, browser);
  return hasPassword ? invalidInput(['password'], WRONG_PASSWORD) : invalidInput(['passkey'], WRONG_PASSKEY);
}

/** Returns the refusal of a person of an identity provider, which keeps the passwords and passkeys. Null for a local account. */
export const refuseOfProvider = ({ subject }: Pick<PersonWithSecrets, 'subject'>): InvalidInput | null =>
  subject === null ? null : invalidInput([], OF_PROVIDER);

const WRONG_PASSWORD = 'The present password is wrong. After several wrong attempts, wait 15 minutes.';
const WRONG_PASSKEY = 'The passkey is none of yours, or its answer was used before. Try again.';

async function provesPassword(
  app: App,
  person: PersonWithSecrets,
  password: string,
  browser: Browser,
): Promise<boolean> {
  const { merchantAccountId, id: personId, passwordHash } = person;
  const key = { merchantAccountId, personId, network: networkOf(browser.address) };
  const mayTry = await claimAttempt(app.db, key, LIMITS, app.clock.now());
  const isReadable = password.length <= PASSWORD_MAX * 2;
  if (!(await verifyPassword(passwordHash, isReadable ? password : '')) || !mayTry) return false;
  const acting = actingAsPerson(app, person, browser);
  await acting.db.transaction((tx) => settleAttempt(tx, key, app.clock.now()));
  return true;
}

async function provesPasskey(
  app: App,
  person: PersonWithSecrets,
  answer: AuthenticationResponseJSON | undefined,
): Promise<boolean> {
  const passkey = (await findPasskeysOf(app.db, person)).find(
    ({ credentialId }) => credentialId === answer?.id,
  );
  const counter = answer && passkey ? await verifyAnswer(app, answer, passkey) : null;
  if (!passkey || counter === null) return false;
  const usedAt = app.clock.now();
  return await app.db.transaction((tx) => usePasskey(tx, passkey, { counter, usedAt }));
}
