import type { App } from '../../app.ts';
import { actingAs } from '../../platform/database/acting.ts';
import { networkOf } from '../../platform/http/network.ts';
import { openSessionIn, type OpenSession, type SignedInWith } from '../sessions/index.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { Person } from './person.ts';
import { forgetAttempts, settleAttempt } from './store/attempts.ts';
import { markSignedIn } from './store/people.ts';

/** The browser that asks, as the server sees it. */
export type Browser = {
  readonly address: string;
  readonly userAgent: string | null;
  readonly requestId: string;
};

/** Returns an app whose changes are the person's. */
export const actingAsPerson = (
  app: App,
  { email, id }: Pick<Person, 'email' | 'id'>,
  browser: Browser,
): App =>
  actingAs(app, {
    ...{ kind: 'person', id, subject: email },
    ...{ address: browser.address, requestId: browser.requestId },
  });

/**
 * Opens the session of a person whose proofs were right, within a transaction. Null if the person was suspended or invited anew
 * meanwhile. The row of the person is locked, so a suspension at the same moment ends this session too.
 */
export async function enter(
  app: App,
  tx: Tx,
  { merchantAccountId, id }: Pick<Person, 'merchantAccountId' | 'id'>,
  { browser, signedInWith }: { readonly browser: Browser; readonly signedInWith: SignedInWith },
): Promise<OpenSession | null> {
  const now = app.clock.now();
  const current = await markSignedIn(tx, { merchantAccountId, id }, now);
  if (!current) return null;
  const { address, userAgent } = browser;
  await forgetAttempts(tx, new Date(now.getTime() - FORGOTTEN_MS));
  await settleAttempt(tx, { merchantAccountId, personId: id, network: networkOf(address) }, now);
  return await openSessionIn(app, tx, {
    ...{ merchantAccountId, person: current.email, personId: id, role: current.role },
    ...{ signedInWith, address, userAgent },
  });
}

/** A network counts as strange again after 90 days without a sign-in. */
const FORGOTTEN_MS = 90 * 86_400_000;
