import type { App } from '../../../../app.ts';
import type { ApprovalState } from '../../../../connectors/requests.ts';
import { failpoint } from '../../../../platform/failpoint.ts';
import { authenticationOf, cavvOf } from '../../../three-ds/index.ts';
import type { TakenOverClaim } from '../../engine/claim.ts';
import { storeConclusion } from './authentication.sql.ts';
import { waysOf } from '../../model/transaction.ts';
import { concluded, left } from './data.ts';
import { stepsOfResult } from './steps.ts';
import { isChallenged, refusalOf, type ThreeDSecure } from '../../model/three-d-secure.ts';

/** A challenge that is left open for longer is worth nothing; providers forget keys a day after the payment was made. */
const CHALLENGE_DEFAULT_MS = 3_600_000;
const CHALLENGE_MAX_MS = 12 * 3_600_000;

/** Until when a challenge can be passed: as was given for the approval of the payment, 12 hours at most; else an hour. */
export const challengeExpiresAt = (given: Date | null, now: Date): Date =>
  new Date(
    given
      ? Math.min(given.getTime(), now.getTime() + CHALLENGE_MAX_MS)
      : now.getTime() + CHALLENGE_DEFAULT_MS,
  );

/**
 * Notes how the challenge of an authorisation that was taken up has ended, by the buyer's word and what the outcome leaves to
 * it. Commits once: the result, its history and event, and that the transaction is processed again when it goes on. A crash
 * after that leaves the rest to reconciliation. The same operation when nothing was waiting; null when the buyer has said
 * nothing, or somebody else has taken the operation up since.
 */
export async function concludeChallenge(app: App, claimed: TakenOverClaim): Promise<TakenOverClaim | null> {
  const { operation, transaction, approval } = claimed;
  const { threeDSecure: begun } = transaction;
  if (operation.kind !== 'authorize' || !isChallenged(begun)) return claimed;
  if (approval === null || approval === 'pending') return null;
  const threeDSecure = await conclude(app, claimed, begun, approval);
  await failpoint('authentication.concluding');
  const written = await storeConclusion(app.db, {
    operation,
    threeDSecure,
    ways: refusalOf(threeDSecure) ? null : waysOf('authenticate'),
    steps: stepsOfResult(app.ids, threeDSecure),
    eventId: app.ids.uuid(),
    environment: app.config.production ? 'production' : 'sandbox',
    now: app.clock.now(),
  });
  await failpoint('authentication.concluded');
  return written && { ...claimed, transaction: written };
}

async function conclude(
  app: App,
  { operation, transaction }: TakenOverClaim,
  begun: ThreeDSecure,
  approval: Exclude<ApprovalState, 'pending'>,
): Promise<ThreeDSecure> {
  if (approval === 'expired') return left(begun);
  const challengeResult = begun.challengeResult ?? (approval === 'approved' ? 'y' : 'n');
  const outcome = { enrollment: 'enrolled', version: begun.data.version, authentication: 'c' } as const;
  const came = authenticationOf({ ...outcome, challengeResult }, transaction.cardScheme);
  return concluded(begun, came, await cavvOf(app.vault, operation.merchantAccountId, transaction.id));
}
