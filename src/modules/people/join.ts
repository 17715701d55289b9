import type { App } from '../../app.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { equalTexts } from '../../platform/equal-texts.ts';
import { digestOf, readTicket, type OpenSession } from '../sessions/index.ts';
import { actingAsPerson, enter, type Browser } from './enter.ts';
import { newTotpSecret, stepOfCode, totpAddress, totpPlace } from './one-time-code.ts';
import { hashPassword, refusePassword } from './password.ts';
import type { Person } from './person.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-code.ts';
import { findPersonById, keepOffered, takeInvitation, type PersonWithSecrets } from './store/people.ts';

/** An invitation, as its page shows it. The shared secret is for the authenticator app of the person. */
export type Invitation = {
  readonly person: Pick<Person, 'email' | 'role' | 'merchantAccountId'>;
  readonly totpSecret: string;
  readonly totpAddress: string;
};

/** Opens an invitation. Null for an unknown, used, replaced or expired one. The first look stores a shared secret, sealed. */
export async function openInvitation(app: App, ticket: string, browser: Browser): Promise<Invitation | null> {
  const person = await findInvited(app, ticket);
  if (!person) return null;
  const totpSecret = await offeredSecret(app, person, browser);
  const { email, role, merchantAccountId } = person;
  return {
    person: { email, role, merchantAccountId },
    totpSecret,
    totpAddress: totpAddress(totpSecret, person),
  };
}

/** Returns the invited person of an invitation that counts now. */
export async function findInvited(app: App, text: string): Promise<PersonWithSecrets | null> {
  const ticket = readTicket(text);
  const person = ticket && (await findPersonById(app.db, ticket.id));
  if (!person || person.state !== 'invited' || person.invitationDigest === null) return null;
  const isRight = equalTexts(digestOf(ticket.secret), person.invitationDigest);
  const isLate = person.invitationExpiresAt === null || person.invitationExpiresAt <= app.clock.now();
  return isRight && !isLate ? person : null;
}

async function offeredSecret(app: App, person: PersonWithSecrets, browser: Browser): Promise<string> {
  if (person.sealedTotp !== null) return await app.vault.open(totpPlace(person), person.sealedTotp);
  const sealed = await app.vault.seal(totpPlace(person), newTotpSecret(app));
  const acting = actingAsPerson(app, person, browser);
  await acting.db.transaction((tx) => keepOffered(tx, person, sealed));
  // Two tabs at once offer one secret.
  const stored = await findPersonById(app.db, person.id);
  return await app.vault.open(totpPlace(person), stored?.sealedTotp ?? sealed);
}

/** A person who has accepted the invitation. Only this answer has the recovery codes. */
export type Joined = OpenSession & { readonly recoveryCodes: readonly string[] };

/**
 * Accepts an invitation with a password and the first one-time code, and signs the person in. Refuses a weak password and a wrong
 * code. Null without an invitation that counts. Commits once.
 */
export async function joinWithPassword(
  app: App,
  given: { readonly ticket: string; readonly password: string; readonly code: string },
  browser: Browser,
): Promise<Result<Joined, InvalidInput> | null> {
  const person = await findInvited(app, given.ticket);
  if (!person?.invitationDigest || person.sealedTotp === null) return null;
  const weak = refusePassword(given.password, person.email);
  if (weak !== null) return refuse(invalidInput(['password'], weak));
  const secret = await app.vault.open(totpPlace(person), person.sealedTotp);
  const step = stepOfCode(secret, given.code.replace(/\s/g, ''), app.clock.now());
  if (step === null) return refuse(invalidInput(['code'], WRONG_CODE));
  const recoveryCodes = newRecoveryCodes(app);
  const changes = {
    passwordHash: await hashPassword(app, given.password),
    totpStep: step,
    recoveryDigests: recoveryCodes.map((code) => recoveryDigest(code) ?? ''),
    updatedAt: app.clock.now(),
  };
  const { invitationDigest } = person;
  const acting = actingAsPerson(app, person, browser);
  const open = await acting.db.transaction(async (tx) =>
    (await takeInvitation(tx, person, invitationDigest, changes))
      ? await enter(acting, tx, person, { browser, signedInWith: 'password' })
      : null,
  );
  return open && ok({ ...open, recoveryCodes });
}

const WRONG_CODE =
  'The code is wrong. Type the six digits that the app shows now. The clock of the phone must be right.';
