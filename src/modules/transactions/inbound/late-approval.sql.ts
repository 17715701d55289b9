import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Operation } from '../model/operation.ts';

/** The facts that decide about a late approval, as they are now. */
export type LateApproval = {
  /** True if the merchant account accepts late approvals. */
  readonly accepts: boolean;
  /** True if another authorisation of the payment is under way or has succeeded. */
  readonly hasAnother: boolean;
  /** True if a cancel of the payment succeeded, or if the authorisation expired. The provider then holds nothing. */
  readonly isOver: boolean;
  /** True if the provider took back what the authorisation had captured. */
  readonly isReversed: boolean;
};

const readStatement = prepareFile(import.meta, 'read-late-approval.sql');

/** Reads the facts about a late approval of an operation. */
export async function readLateApproval(
  db: Db,
  { merchantAccountId: account, id: operation }: Operation,
): Promise<LateApproval> {
  const [row] = await db.query<LateApproval>(readStatement({ account, operation }));
  if (!row) throw new Error(`Operation ${operation} is gone`);
  return row;
}

const releaseStatement = prepareFile(import.meta, 'release-late-approval.sql');

export type Release = {
  readonly operation: Operation;
  /** The provider's id of the late authorisation, and the held amount in minor units. */
  readonly reference: string;
  readonly amount: number;
  readonly releaseId: string;
  readonly historyId: string;
  readonly eventId: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
};

/**
 * Starts the release of a late approval, which reconciliation sends at once. One commit: the operation, the event and the history.
 * The payment gets a new version. False if the release was started before, or if the payment is authorised by the approval.
 */
export async function startRelease(db: Db, { operation, ...given }: Release): Promise<boolean> {
  const { reference, amount, releaseId: release, historyId, eventId: eventA, environment, now } = given;
  const rows = await db.query(
    releaseStatement({
      ...{ account: operation.merchantAccountId, operation: operation.id, reference, amount, release },
      ...{ historyId, eventA, environment, now },
    }),
  );
  return rows.length > 0;
}
