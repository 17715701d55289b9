import { z } from 'zod';
import type { App, Viewer } from '../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { coversAny } from '../../kernel/scope.ts';
import { isDuplicate } from '../../platform/database/db.ts';
import { parseInput } from '../../platform/input/validate.ts';
import type { DuplicateRecord } from '../accounts/index.ts';
import { digestOf, endSessionsOf, newSecret, ROLES, writeTicket, type Role } from '../sessions/index.ts';
import { removePasskeysOf } from './store/passkeys.ts';
import { EMAIL, emailOf, INVITATION_MS, type Person } from './person.ts';
import { changePerson, findPersonNamed, findPersonOf, insertPerson, withoutSecrets } from './store/people.ts';

export type InvitePersonInput = { readonly email: string; readonly role: Role };

/** An invited person, and the address at which the invitation is accepted. Only this answer has the address. */
export type Invited = { readonly person: Person; readonly invitationUrl: string };

/** Returns the schema of an invitation. Nobody gives a role with scopes beyond the own ones. */
const inviteSchema = ({ scopes }: Pick<Viewer, 'scopes'>) =>
  z.object({
    email: z.string().transform(emailOf).pipe(z.string().regex(EMAIL, 'Must be an e-mail address.')),
    role: roleWithin(scopes),
  });

/** Returns the schema of a role that a caller with these scopes may give. */
export const roleWithin = (scopes: readonly string[]) =>
  z
    .enum(['owner', 'developer', 'support', 'analyst'])
    .refine((role) => coversRole(scopes, role), 'Your token lacks a scope of this role.');

/** True if the scopes include each scope of a role. */
export const coversRole = (scopes: readonly string[], role: Role): boolean =>
  ROLES[role].every((scope) => coversAny(scopes, scope));

/**
 * Invites a person to a merchant account. The invitation lasts 72 hours and counts once. The database stores a digest of its
 * secret alone. Refuses a role beyond the viewer's scopes, and an e-mail address with a local account. Commits once.
 */
export async function invitePerson(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId' | 'scopes'>,
  input: InvitePersonInput,
): Promise<Result<Invited, InvalidInput | DuplicateRecord>> {
  const parsed = parseInput(inviteSchema(viewer), input);
  if (!parsed.ok) return parsed;
  const [now, secret, id] = [app.clock.now(), newSecret(app), app.ids.uuid()];
  const { merchantAccountId } = viewer;
  const person = { merchantAccountId, id, ...parsed.value, state: 'invited', subject: null } as const;
  try {
    await app.db.transaction((tx) =>
      insertPerson(tx, { ...person, ...invitationOf(secret, now), createdAt: now, updatedAt: now }),
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse(await duplicateOf(app, merchantAccountId, parsed.value.email));
  }
  return ok(await invited(app, { merchantAccountId, id }, secret));
}

/**
 * Invites a person again, for example after the loss of a device. Removes the password, the one-time codes, the recovery codes and
 * the passkeys, and ends each session. The former invitation counts no more. Commits once.
 */
export async function renewInvitation(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId' | 'scopes'>,
  id: string,
): Promise<Result<Invited, InvalidInput | NotFound>> {
  const known = await findPersonOf(app.db, viewer.merchantAccountId, id);
  if (!known) return refuse(notFound('person'));
  if (known.subject !== null) return refuse(invalidInput(['id'], OF_PROVIDER));
  if (!coversRole(viewer.scopes, known.role)) return refuse(invalidInput(['id'], BEYOND_YOURS));
  const [now, secret] = [app.clock.now(), newSecret(app)];
  const { merchantAccountId } = known;
  await app.db.transaction(async (tx) => {
    const nothing = { passwordHash: null, sealedTotp: null, totpStep: null, recoveryDigests: [] };
    await changePerson(tx, known, {
      ...nothing,
      state: 'invited',
      ...invitationOf(secret, now),
      updatedAt: now,
    });
    await removePasskeysOf(tx, known);
    await endSessionsOf(tx, { merchantAccountId, personId: known.id }, now);
  });
  return ok(await invited(app, known, secret));
}

/** The sentence about a person of an identity provider. */
export const OF_PROVIDER = 'The identity provider decides how this person signs in, and with which role.';

/** The sentence about a person whose role exceeds the caller's scopes. */
export const BEYOND_YOURS =
  "Your token lacks a scope of this person's role. Ask an owner, or use a token with each scope of the role.";

const invitationOf = (secret: string, now: Date) => ({
  invitationDigest: digestOf(secret),
  invitationExpiresAt: new Date(now.getTime() + INVITATION_MS),
});

async function invited(
  app: App,
  { merchantAccountId, id }: Pick<Person, 'merchantAccountId' | 'id'>,
  secret: string,
): Promise<Invited> {
  const person = await findPersonOf(app.db, merchantAccountId, id);
  if (!person) throw new Error('An invited person vanished.');
  // A browser sends no fragment, so no log of a proxy has the secret.
  const invitationUrl = `${app.publicUrl}/dashboard/join#${writeTicket({ id, secret })}`;
  return { person: withoutSecrets(person), invitationUrl };
}

async function duplicateOf(
  app: App,
  merchantAccountId: string,
  email: string,
): Promise<DuplicateRecord | InvalidInput> {
  const path = ['input', 'email'];
  const known = await findPersonNamed(app.db, merchantAccountId, { email });
  const message =
    'A person with this e-mail address exists: see resourceId. Invite that person again instead.';
  return known
    ? { kind: 'DuplicateRecord', path, message, resourceId: known.id }
    : invalidInput(path, 'Another request invited this address at the same moment. Try again.');
}
