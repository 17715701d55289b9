import { z } from 'zod';
import type { App, Viewer } from '../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import type { Tx } from '../../platform/database/db.ts';
import { isUuid } from '../../platform/ids.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { changeRoleOf, endSessionsOf, type Role } from '../sessions/index.ts';
import { BEYOND_YOURS, coversRole, OF_PROVIDER, roleWithin } from './invite.ts';
import type { Person } from './person.ts';
import { changePerson, findPersonOf, lockWithOwners, withoutSecrets } from './store/people.ts';

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
 * Refuses a change of the viewer's own role. Refuses a role beyond the viewer's scopes, before the change or after it. The last
 * active owner stays, even if two owners suspend one another at once.
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
  if (!isUuid(id)) return refuse(notFound('person'));
  const { merchantAccountId } = viewer;
  return await app.db.transaction(async (tx) => {
    const owners = await lockWithOwners(tx, { merchantAccountId, id });
    const known = await findPersonOf({ prisma: tx }, merchantAccountId, id);
    if (!known) return refuse(notFound('person'));
    const refused = refusalOf(viewer, known, parsed.value) ?? refuseLastOwner(known, owners, parsed.value);
    if (refused) return refuse(refused);
    await write(tx, known, parsed.value, app.clock.now());
    const changed = await findPersonOf({ prisma: tx }, merchantAccountId, id);
    return changed ? ok(withoutSecrets(changed)) : refuse(notFound('person'));
  });
}

async function write(tx: Tx, known: Person, input: UpdatePersonInput, now: Date): Promise<void> {
  const role = input.role ?? known.role;
  const state = stateAfter(known, input.active ?? null);
  const of = { merchantAccountId: known.merchantAccountId, personId: known.id };
  await changePerson(tx, known, { role, state, updatedAt: now, ...(state !== 'invited' && NO_INVITATION) });
  await changeRoleOf(tx, of, role);
  if (state === 'suspended') await endSessionsOf(tx, of, now);
}

const NO_INVITATION = { invitationDigest: null, invitationExpiresAt: null };

function refusalOf(viewer: Caller, known: Person, { role = null }: UpdatePersonInput): InvalidInput | null {
  if (viewer.personId != null && viewer.personId === known.id)
    return invalidInput(['id'], 'Nobody changes the own role or suspends themselves. Ask another owner.');
  if (role !== null && role !== known.role && known.subject !== null)
    return invalidInput(['input', 'role'], OF_PROVIDER);
  return coversRole(viewer.scopes, known.role) ? null : invalidInput(['id'], BEYOND_YOURS);
}

/** Without an active owner, only the operator of the server could still invite one. */
function refuseLastOwner(
  known: Person,
  owners: readonly string[],
  { role = null, active = null }: UpdatePersonInput,
): InvalidInput | null {
  const isLast = owners.length === 1 && owners[0] === known.id;
  if (!isLast || (active !== false && (role ?? 'owner') === 'owner')) return null;
  return invalidInput(['input', active === false ? 'active' : 'role'], LAST_OWNER);
}

const LAST_OWNER =
  'This person is the last active owner. Invite another owner first, and wait until that person has accepted.';

/** A person without any means to sign in stays invited, and needs another invitation. */
function stateAfter(known: Person, active: boolean | null): Person['state'] {
  if (active === null) return known.state;
  if (!active) return 'suspended';
  if (known.state !== 'suspended') return known.state;
  return known.hasPassword || known.passkeyCount > 0 || known.subject !== null ? 'active' : 'invited';
}
