import type { App } from '../../app.ts';
import { networkOf } from '../../platform/http/network.ts';
import { isMerchantAccountId } from '../accounts/index.ts';
import type { OpenSession } from '../sessions/index.ts';
import { actingAsPerson, enter, type Browser } from './enter.ts';
import { stepOfCode, totpPlace } from './one-time-code.ts';
import { PASSWORD_MAX, verifyPassword } from './password.ts';
import { EMAIL, emailOf } from './person.ts';
import { recoveryDigest } from './recovery-code.ts';
import { NOBODY, recordRefusal } from './refusal.ts';
import { claimAttempt, type AttemptLimits } from './store/attempts.ts';
import { findPersonNamed, useCode, useRecoveryCode, type PersonWithSecrets } from './store/people.ts';

/** The proofs of a person with a password. `code` is a one-time code or a recovery code. */
export type PasswordSignIn = {
  readonly merchantAccountId: string;
  readonly email: string;
  readonly password: string;
  readonly code: string;
};

/**
 * The bounds of wrong attempts. A network where the person signed in before counts its own failures alone. An attacker elsewhere
 * therefore locks nobody out. A wait is never longer than 15 minutes.
 */
export const LIMITS: AttemptLimits = { free: 5, waitSeconds: 30, waitSecondsMost: 900, strange: 20 };

/**
 * Signs a person in with e-mail address, password and code. Null if a proof is wrong, the person must wait, or may not sign in. The
 * answer and its time are the same for all of these, and for an unknown person. The audit log has each refusal.
 *
 * Commits thrice: the attempt counts as failed at first. A right code is used up then. The session comes last.
 */
export async function signInWithPassword(
  app: App,
  given: PasswordSignIn,
  browser: Browser,
): Promise<OpenSession | null> {
  const { merchantAccountId, password } = given;
  const email = emailOf(given.email);
  const readable =
    isMerchantAccountId(merchantAccountId) && EMAIL.test(email) && password.length <= PASSWORD_MAX * 2;
  const found = readable ? await findPersonNamed(app.db, merchantAccountId, { email }) : null;
  const person = found?.state === 'active' && found.passwordHash !== null ? found : null;
  const network = networkOf(browser.address);
  const key = {
    merchantAccountId: person ? merchantAccountId : '',
    personId: (person ?? NOBODY).id,
    network,
  };
  const mayTry = await claimAttempt(app.db, key, LIMITS, app.clock.now());
  const isPassword = await verifyPassword(person?.passwordHash ?? null, readable ? password : '');
  const acting = actingAsPerson(app, person ?? NOBODY, browser);
  const signedInWith = person && mayTry && isPassword ? await useUp(acting, person, given.code) : null;
  if (!person || !signedInWith) {
    const wrong = !mayTry ? 'too many attempts' : isPassword ? 'wrong code' : 'wrong password';
    const reason = person ? wrong : found ? 'not active' : 'unknown person';
    await recordRefusal(app, { merchantAccountId, person, reason, signedInWith: 'password' }, browser);
    return null;
  }
  return await acting.db.transaction((tx) => enter(acting, tx, person, { browser, signedInWith }));
}

/** Uses a one-time code or a recovery code up. Null for a wrong or used one. */
async function useUp(
  app: App,
  person: PersonWithSecrets,
  code: string,
): Promise<'password' | 'recovery_code' | null> {
  const recovery = recoveryDigest(code);
  if (recovery) {
    return (await useRecoveryCode(app.db, person, recovery)) ? 'recovery_code' : null;
  }
  if (person.sealedTotp === null) return null;
  const secret = await app.vault.open(totpPlace(person), person.sealedTotp);
  const step = stepOfCode(secret, code.replace(/\s/g, ''), app.clock.now());
  return step !== null && (await useCode(app.db, person, step)) ? 'password' : null;
}
