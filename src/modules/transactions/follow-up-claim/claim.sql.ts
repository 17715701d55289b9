import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Claim } from '../claim/claim.ts';
import { toClaim, type ClaimRow } from '../claim/claim-row.sql.ts';
import type { FollowUpKind } from './decide-follow-up.ts';
import type { Permit } from '../model/permit.ts';
import { permitValues } from './permit.sql.ts';
import type { OperationSplits, SplitShare } from '../model/splits.ts';
import { keyValues, providerKeyValues, type KeyRow } from '../claim/key.sql.ts';

export type FollowUpClaim = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly operationId: string;
  readonly kind: FollowUpKind;
  /** The mutation that stores the key under its name. */
  readonly mutation: string;
  /** Minor units. Null takes the whole remaining amount. */
  readonly amount: number | null;
  /** True for a capture after which nothing more is captured. */
  readonly final: boolean;
  /** True for a refund in spite of an open dispute. */
  readonly force: boolean;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly definitions: SupportingDefinitions;
  /** The shares of a capture or a refund. Null for a payment without shares, whose claim needs none. */
  readonly shares: SharesClaim | null;
  /** For a refund by a person. */
  readonly permit?: Permit | undefined;
};

/** The shares of a capture or a refund to claim. */
export type SharesClaim = {
  /** Minor units. The shares add up to this amount. */
  readonly amount: number;
  readonly splits: OperationSplits;
  /** The shares of the payment that were decided on, and the shares after the claim. */
  readonly before: readonly SplitShare[];
  readonly after: readonly SplitShare[];
};

/** The ids of the definitions that support a kind of operation, and of those that support parts. */
export type SupportingDefinitions = { readonly any: readonly string[]; readonly parts: readonly string[] };

/**
 * Locks the transaction, checks the condition, reserves the amount, and writes the pending operation and the key. One
 * statement, one commit. Returns null when the operation may not start, or the key was used. When two claims bring one
 * new key at once, the second fails with a unique violation and leaves nothing.
 *
 * A payment with shares is claimed only with its present shares. The caller reads them first.
 *
 * The statement of the kind decides. Its twin `decideFollowUp` explains a refusal. A property test keeps both equal.
 */
export async function claimFollowUp(db: Db, claim: FollowUpClaim): Promise<Claim | null> {
  const [row] = await db.query<ClaimRow>(
    statements[claim.kind]({
      account: claim.merchantAccountId,
      transaction: claim.transactionId,
      operation: claim.operationId,
      amount: claim.shares?.amount ?? claim.amount,
      final: claim.final,
      force: claim.force,
      externalIdentifier: claim.externalIdentifier,
      reason: claim.reason,
      leaseUntil: claim.leaseUntil,
      now: claim.now,
      definitions: claim.definitions.any,
      parts: claim.definitions.parts,
      ...keyValues(claim.mutation, claim.key),
      ...providerKeyValues(claim.key),
      ...permitValues(claim.permit),
      ...sharesValues(claim.shares),
    }),
  );
  return row ? toClaim(row) : null;
}

const sharesValues = (shares: SharesClaim | null) => ({
  splits: shares && JSON.stringify(shares.splits),
  splitsBefore: shares && JSON.stringify(shares.before),
  splitsAfter: shares && JSON.stringify(shares.after),
});

const statements = {
  increase: prepareFile(import.meta, 'claim-increase.sql'),
  reauthorize: prepareFile(import.meta, 'claim-reauthorize.sql'),
  capture: prepareFile(import.meta, 'claim-capture.sql'),
  refund: prepareFile(import.meta, 'claim-refund.sql'),
  void: prepareFile(import.meta, 'claim-void.sql'),
  cancel: prepareFile(import.meta, 'claim-cancel.sql'),
} as const;
