import type { App } from '../../app.ts';
import type { SignedInWith } from '../sessions/index.ts';
import { actingAsPerson, type Browser } from './enter.ts';
import type { Person } from './person.ts';
import { recordRefusedSignIn } from './store/attempts.ts';

/** The person of attempts with an unknown address. Each attempt costs the same statements. */
export const NOBODY = { id: '00000000-0000-0000-0000-000000000000', email: 'unknown' } as const;

export type RefusedSignIn = {
  readonly merchantAccountId: string;
  readonly person: Pick<Person, 'id' | 'email'> | null;
  readonly reason: string;
  readonly signedInWith: SignedInWith;
};

/**
 * Records a refused sign-in in the log and in the audit log. The typed address may be a password in the wrong field, so neither has
 * it.
 */
export async function recordRefusal(
  app: App,
  { merchantAccountId, person, reason, signedInWith }: RefusedSignIn,
  browser: Browser,
): Promise<void> {
  const { id, email } = person ?? NOBODY;
  app.log.warn({ reason, address: browser.address, personId: person?.id ?? null }, 'A sign-in was refused.');
  const acting = actingAsPerson(app, { id, email }, browser);
  const fields = { reason, signed_in_with: signedInWith };
  await recordRefusedSignIn(acting.db, { account: merchantAccountId, person: id, fields });
}
