import { environmentOf } from '../../../../platform/process/config.ts';
import type { App } from '../../../../app.ts';
import type { ApprovalState } from '../../../../connectors/interface/requests.ts';
import { failpoint } from '../../../../platform/failpoint.ts';
import { authenticationOf, cavvOf } from '../../../three-ds/index.ts';
import type { TakenOverClaim } from '../../claim/claim.ts';
import { storeConclusion } from './authentication.sql.ts';
import { waysOf } from '../../model/transaction.ts';
import { concluded, left } from './data.ts';
import { stepsOfResult } from './steps.ts';
import { isChallenged, refusalOf, type ThreeDSecure } from '../../model/three-d-secure.ts';

/** The time to pass a challenge. Providers forget keys a day after the payment started. */
const CHALLENGE_DEFAULT_MS = 3_600_000;
const CHALLENGE_MAX_MS = 12 * 3_600_000;

/**
 * Returns the end of the time to pass a challenge. It is the given end of the approval, 12 hours at most, or else an
 * hour.
 */
export const challengeExpiresAt = (given: Date | null, now: Date): Date =>
  new Date(
    given
      ? Math.min(given.getTime(), now.getTime() + CHALLENGE_MAX_MS)
      : now.getTime() + CHALLENGE_DEFAULT_MS,
  );

/**
 * Ends the challenge of a claimed authorisation, by the buyer's decision and the planned outcome. Commits once: the
 * result, its history and event, and the status of a continued payment. After a crash, reconciliation continues.
 * Returns the same operation when no challenge waits. Null when the buyer has not decided, or another process claimed
 * the operation.
 */
export async function concludeChallenge(app: App, claimed: TakenOverClaim): Promise<TakenOverClaim | null> {
  const { operation, transaction, approval } = claimed;
  const { threeDSecure: started } = transaction;
  if (operation.kind !== 'authorize' || !isChallenged(started)) return claimed;
  if (approval === null || approval === 'pending' || approval === 'returned') return null;
  const threeDSecure = await conclude(app, claimed, started, approval);
  await failpoint('authentication.concluding');
  const written = await storeConclusion(app.db, {
    operation,
    threeDSecure,
    ways: refusalOf(threeDSecure) ? null : waysOf('authenticate'),
    steps: stepsOfResult(app.ids, threeDSecure),
    eventId: app.ids.uuid(),
    environment: environmentOf(app.config),
    now: app.clock.now(),
  });
  await failpoint('authentication.concluded');
  return written && { ...claimed, transaction: written };
}

async function conclude(
  app: App,
  { operation, transaction }: TakenOverClaim,
  started: ThreeDSecure,
  approval: Exclude<ApprovalState, 'pending'>,
): Promise<ThreeDSecure> {
  if (approval === 'expired') return left(started);
  const challengeResult = started.challengeResult ?? (approval === 'approved' ? 'y' : 'n');
  const outcome = { enrollment: 'enrolled', version: started.data.version, authentication: 'c' } as const;
  const came = authenticationOf({ ...outcome, challengeResult }, transaction.cardScheme);
  return concluded(started, came, await cavvOf(app.vault, operation.merchantAccountId, transaction.id));
}
