import type { App } from '../../app.ts';
import type { Tx } from '../../platform/database/db.ts';
import { digestOf, LIFETIME_MS, writeTicket, type Session } from './session.ts';
import { insertSession } from './store.ts';

/** A session with the content of its cookie. */
export type OpenSession = { readonly session: Session; readonly ticket: string };

/** The person of a new session, with role and merchant account, and the sign-in. The caller has identified the person. */
export type SignedIn = Pick<
  Session,
  'person' | 'personId' | 'role' | 'merchantAccountId' | 'signedInWith' | 'address' | 'userAgent'
>;

/** Signs a person in. The database stores a digest of the secret alone. Commits once. */
export const openSession = (app: App, known: SignedIn): Promise<OpenSession> =>
  app.db.transaction((tx) => openSessionIn(app, tx, known));

/** Signs a person in within a transaction. The secret is new, whatever cookie the browser had. */
export async function openSessionIn(app: App, tx: Tx, known: SignedIn): Promise<OpenSession> {
  const [now, secret] = [app.clock.now(), newSecret(app)];
  const session: Session = {
    ...known,
    userAgent: known.userAgent?.slice(0, USER_AGENT_MAX).toWellFormed() ?? null,
    id: app.ids.uuid(),
    digest: digestOf(secret),
    formerDigest: null,
    rotatedAt: now,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    endedAt: null,
  };
  await insertSession(tx, session);
  return { session, ticket: writeTicket({ id: session.id, secret }) };
}

const USER_AGENT_MAX = 255;

/** Draws a secret of 256 bits. */
export const newSecret = ({ ids }: Pick<App, 'ids'>): string => ids.random(32).toString('base64url');
