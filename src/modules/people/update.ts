import { z } from 'zod';
import type { App, Viewer } from '../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/validate.ts';
import { changeRoleOf, endSessionsOf, type Role } from '../sessions/index.ts';
import { coversRole, OF_PROVIDER, roleWithin } from './invite.ts';
import type { Person } from './person.ts';
import { changePerson, findPersonOf, withoutSecrets } from './store/people.ts';

/** Absent fields keep their value. `active: false` suspends the person. */
export type UpdatePersonInput = {
  readonly role?: Role | null | undefined;
  readonly active?: boolean | null | undefined;
};

type Caller = Pick<Viewer, 'merchantAccountId' | 'scopes' | 'personId'>;

/**
 * Changes the role of a person, suspends the person, or lets the person sign in again. The next request of each session has the new
 * role. A suspension ends each session. Commits once.
 *
 * Refuses a role beyond the viewer's scopes, and a change of the viewer's own role. No account therefore loses its last owner by
 * mistake.
 */
export async function updatePerson(
  app: App,
  viewer: Caller,
  id: string,
  input: UpdatePersonInput,
): Promise<Result<Person, InvalidInput | NotFound>> {
  const parsed = parseInput(
    z.object({ role: roleWithin(viewer.scopes).nullish(), active: z.boolean().nullish() }),
    input,
  );
  if (!parsed.ok) return parsed;
  const known = await findPersonOf(app.db, viewer.merchantAccountId, id);
  if (!known) return refuse(notFound('person'));
  const refused = refusalOf(viewer, known, parsed.value);
  if (refused) return refuse(refused);
  const role = parsed.value.role ?? known.role;
  const state = stateAfter(known, parsed.value.active ?? null);
  const of = { merchantAccountId: known.merchantAccountId, personId: known.id };
  const now = app.clock.now();
  await app.db.transaction(async (tx) => {
    await changePerson(tx, known, { role, state, updatedAt: now, ...(state !== 'invited' && NO_INVITATION) });
    await changeRoleOf(tx, of, role);
    if (state === 'suspended') await endSessionsOf(tx, of, now);
  });
  const changed = await findPersonOf(app.db, known.merchantAccountId, known.id);
  return changed ? ok(withoutSecrets(changed)) : refuse(notFound('person'));
}

const NO_INVITATION = { invitationDigest: null, invitationExpiresAt: null };

function refusalOf(
  viewer: Caller,
  known: Person,
  { role = null, active = null }: UpdatePersonInput,
): InvalidInput | null {
  if (viewer.personId != null && viewer.personId === known.id)
    return invalidInput(['id'], 'Nobody changes the own role or suspends themselves. Ask another owner.');
  if (role !== null && role !== known.role && known.subject !== null)
    return invalidInput(['input', 'role'], OF_PROVIDER);
  if (active === true && !coversRole(viewer.scopes, role ?? known.role))
    return invalidInput(['input', 'active'], "Your token lacks a scope of this person's role.");
  return null;
}

/** A person without any means to sign in stays invited, and needs another invitation. */
function stateAfter(known: Person, active: boolean | null): Person['state'] {
  if (active === null) return known.state;
  if (!active) return 'suspended';
  if (known.state !== 'suspended') return known.state;
  return known.hasPassword || known.passkeyCount > 0 || known.subject !== null ? 'active' : 'invited';
}
