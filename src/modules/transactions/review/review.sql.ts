import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { toClaim, type ClaimRow } from '../claim/claim-row.sql.ts';
import type { Claim } from '../claim/claim.ts';
import { keyValues, providerKeyValues, type KeyRow } from '../claim/key.sql.ts';

/** The end of a review: the decision, its author, and the operation that follows. */
export type ReviewClaim = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly decision: ReviewDecision;
  /** The author and the reason. The history keeps them for ever. Null values are left out. */
  readonly audit: Readonly<Record<string, string | null>>;
  /** The id of the capture or void that may follow. */
  readonly operationId: string;
  readonly mutation: string;
  readonly key: KeyRow | null;
  readonly historyId: string;
  readonly eventId: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The ids of the definitions with void. */
  readonly voiding: readonly string[];
};

const STATEMENT = prepareFile(import.meta, 'claim-review.sql');

/**
 * Ends an open review and claims the capture or void that follows, in one statement and one commit. The operation is
 * the capture or void, or the authorisation when nothing follows. Returns null when
 *
 * - no review is open, or the review opened only just now
 * - a release of the authorisation is under way
 * - the key was used
 *
 * When two requests bring one new key at once, the second fails with a unique violation and leaves nothing.
 */
export async function claimReview(db: Db, claim: ReviewClaim): Promise<Claim | null> {
  const [row] = await db.query<ClaimRow>(
    STATEMENT({
      account: claim.merchantAccountId,
      transaction: claim.transactionId,
      decision: claim.decision,
      audit: JSON.stringify(claim.audit),
      operation: claim.operationId,
      historyId: claim.historyId,
      eventA: claim.eventId,
      environment: claim.environment,
      now: claim.now,
      leaseUntil: claim.leaseUntil,
      voiding: claim.voiding,
      ...keyValues(claim.mutation, claim.key),
      ...providerKeyValues(claim.key),
    }),
  );
  return row ? toClaim(row) : null;
}

export type ReviewDecision = 'accept' | 'reject';
