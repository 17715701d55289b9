import type { App } from '../../app.ts';
import { newSecret, type OpenSession } from './open.ts';
import { digestOf, proves, readTicket, ROTATION_MS, writeTicket, type Session } from './session.ts';
import { endSessionAt, endSessionsOf, findSession, rotateSession } from './store.ts';

/**
 * Returns the session of a cookie, with the cookie's next content. The secret rotates once it is older than 15 minutes. If two
 * renew at once, one rotates, and the other keeps its secret for a minute. Null without a valid session.
 */
export async function renewSession(app: App, cookie: string): Promise<OpenSession | null> {
  const known = await findProven(app, cookie);
  if (!known) return null;
  const { session, part } = known;
  const now = app.clock.now();
  const isYoung = now.getTime() - session.rotatedAt.getTime() < ROTATION_MS;
  if (part === 'former' || isYoung) return { session, ticket: cookie };
  const secret = newSecret(app);
  const next = { digest: digestOf(secret), rotatedAt: now };
  const rotated = await app.db.transaction((tx) => rotateSession(tx, session, next));
  return { session, ticket: rotated ? writeTicket({ id: session.id, secret }) : cookie };
}

/** The sessions that a sign-out ends: that of the cookie, or all of its person in the merchant account. */
export type Leaving = 'this' | 'all';

/** Signs a person out, on the app that acts for the person. Commits once. Nothing happens without a valid session. */
export async function endSession(
  app: App,
  cookie: string,
  actingFor: (person: string) => App,
  leaving: Leaving = 'this',
): Promise<void> {
  const known = await findProven(app, cookie);
  if (!known) return;
  const { session } = known;
  const { merchantAccountId, personId, person } = session;
  const all = { merchantAccountId, ...(personId === null ? { personId, person } : { personId }) };
  const now = app.clock.now();
  await actingFor(person).db.transaction((tx) =>
    leaving === 'all' ? endSessionsOf(tx, all, now) : endSessionAt(tx, session, now),
  );
}

type Proven = { readonly session: Session; readonly part: 'current' | 'former' };

/** Returns the session that a cookie proves. */
export async function findProven(app: App, cookie: string): Promise<Proven | null> {
  const ticket = readTicket(cookie);
  const session = ticket && (await findSession(app.db, ticket.id));
  const part = session && proves(session, ticket.secret, app.clock.now());
  return session && part ? { session, part } : null;
}
