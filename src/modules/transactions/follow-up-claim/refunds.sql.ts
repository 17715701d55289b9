import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Permit } from '../model/permit.ts';
import { permitValues } from './permit.sql.ts';
import { toClaim, type ClaimRow } from '../claim/claim-row.sql.ts';
import type { Claim } from '../claim/claim.ts';
import { keyValues, type KeyRow } from '../claim/key.sql.ts';

/**
 * One refund of a request, with its operation and its target. The payment method is the target when `redemptionId` is
 * null.
 */
export type NewRefund = {
  readonly operationId: string;
  readonly redemptionId: string | null;
  readonly amount: number;
  /** The keys that the refund may have at its provider. Empty without an idempotency key. */
  readonly providerKeys: readonly string[];
};

export type RefundsClaim = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  /** The refunds of the request. The first one carries the idempotency key. */
  readonly refunds: readonly [NewRefund, ...(readonly NewRefund[])];
  /** The statuses in which a refund may start. */
  readonly statuses: readonly string[];
  /** True to refund the payment method in spite of an open dispute. */
  readonly force: boolean;
  readonly mutation: string;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** For a refund by a person. */
  readonly permit: Permit | undefined;
};

const STATEMENT = prepareFile(import.meta, 'claim-refunds.sql');

/**
 * Locks the transaction and its redemptions, checks that all parts of the refund fit, and reserves them. Writes the
 * pending operations and the idempotency key. One statement, one commit. Returns an empty list when the parts do not
 * fit, or the key was used. When two claims bring one new key at once, the second fails with a unique violation and
 * leaves nothing.
 */
export async function claimRefunds(db: Db, claim: RefundsClaim): Promise<readonly Claim[]> {
  const rows = await db.query<ClaimRow>(
    STATEMENT({
      account: claim.merchantAccountId,
      transaction: claim.transactionId,
      refunds: JSON.stringify(
        claim.refunds.map(({ operationId: operation, redemptionId: redemption, amount, providerKeys }) => ({
          ...{ operation, redemption, amount, provider_keys: providerKeys },
        })),
      ),
      first: claim.refunds[0].operationId,
      statuses: claim.statuses,
      force: claim.force,
      externalIdentifier: claim.externalIdentifier,
      reason: claim.reason,
      now: claim.now,
      leaseUntil: claim.leaseUntil,
      ...keyValues(claim.mutation, claim.key),
      ...permitValues(claim.permit),
    }),
  );
  return rows.map(toClaim);
}
