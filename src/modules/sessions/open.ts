import type { App } from '../../app.ts';
import type { Role } from './role.ts';
import { digestOf, LIFETIME_MS, writeTicket, type Session } from './session.ts';
import { insertSession } from './store.ts';

/** A session with the content of its cookie. */
export type OpenSession = { readonly session: Session; readonly ticket: string };

/** The person of a new session, with role and merchant account. The caller has identified the person. */
export type Person = { readonly person: string; readonly role: Role; readonly merchantAccountId: string };

/** Signs a person in. The database stores a digest of the secret alone. Commits once. */
export async function openSession(app: App, known: Person): Promise<OpenSession> {
  const [now, secret] = [app.clock.now(), newSecret(app)];
  const session: Session = {
    ...known,
    id: app.ids.uuid(),
    digest: digestOf(secret),
    formerDigest: null,
    rotatedAt: now,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    endedAt: null,
  };
  await app.db.transaction((tx) => insertSession(tx, session));
  return { session, ticket: writeTicket({ id: session.id, secret }) };
}

/** Draws a secret of 256 bits. */
export const newSecret = ({ ids }: App): string => ids.random(32).toString('base64url');
