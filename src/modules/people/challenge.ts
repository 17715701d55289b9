import type { App } from '../../app.ts';
import { digestOf, newSecret } from '../sessions/index.ts';
import { insertChallenge, removeChallenge, type Purpose } from './store/challenges.ts';

/** The time to answer a challenge. */
const CHALLENGE_MS = 10 * 60_000;

/** Draws a challenge of 256 bits that counts once, for ten minutes. The database stores its digest alone. */
export async function newChallenge(
  app: App,
  purpose: Purpose,
  personId: string | null = null,
): Promise<string> {
  const [challenge, now] = [newSecret(app), app.clock.now()];
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await insertChallenge(app.db, { digest: digestOf(challenge), purpose, personId, expiresAt }, now);
  return challenge;
}

/** Uses a challenge up. False for an unknown, used or expired one, and for another purpose or person. */
export const takeChallenge = (
  app: App,
  purpose: Purpose,
  challenge: string,
  personId: string | null = null,
): Promise<boolean> =>
  removeChallenge(app.db, { digest: digestOf(challenge), purpose, personId }, app.clock.now());
