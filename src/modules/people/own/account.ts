import type { App, Viewer } from '../../../app.ts';
import { findPasskeysOf, type Passkey } from '../store/passkeys.ts';
import { findPersonOf, type PersonWithSecrets } from '../store/people.ts';

/** The means of a person to sign in, for the person alone. */
export type OwnAccount = {
  readonly email: string;
  readonly usesIdentityProvider: boolean;
  readonly hasPassword: boolean;
  readonly recoveryCodesLeft: number;
  /** Oldest first. */
  readonly passkeys: readonly Pick<Passkey, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>[];
};

/** The viewer of a session, who changes the own account. `apiKeyPairId` is the session. */
export type Self = Pick<Viewer, 'merchantAccountId' | 'personId' | 'apiKeyPairId'>;

/** Returns the person of a session. Null for the visitor of a sandbox. */
export async function findSelf(
  app: App,
  { merchantAccountId, personId }: Self,
): Promise<PersonWithSecrets | null> {
  const person = personId == null ? null : await findPersonOf(app.db, merchantAccountId, personId);
  return person?.state === 'active' ? person : null;
}

/** Returns the account of the person of a session. Null for the visitor of a sandbox, who has none. */
export async function readOwnAccount(app: App, self: Self): Promise<OwnAccount | null> {
  const person = await findSelf(app, self);
  if (!person) return null;
  const { email, subject, hasPassword, recoveryCodesLeft } = person;
  const passkeys = await findPasskeysOf(app.db, person);
  return {
    ...{ email, usesIdentityProvider: subject !== null, hasPassword, recoveryCodesLeft },
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })),
  };
}
