import type { Db } from '../../../../platform/database/db.ts';
import { ACTOR } from '../../../../platform/database/acting.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { StartedAuthentication } from './authenticate.ts';
import type { Step } from './steps.ts';
import { refusalOf, type ThreeDSecure } from '../../model/three-d-secure.ts';
import type { Operation } from '../../model/operation.ts';
import type { Transaction, TransactionStatus } from '../../model/transaction.ts';
import { toTransaction, type JsonRow } from '../../rows/rows.sql.ts';
import { authenticationEvent } from './authentication-event.sql.ts';

/**
 * Makes the parts of a claim statement that write the buyer's authentication. The written transaction is in `made`, and
 * the operation in `started`. Parameters: account, now, environment, and those of begunValues.
 */
export const authenticationExpressions = (made: string, started: string): string => `
  ${stepsFrom(started)},
  ${authenticationEvent(`${made} c`)},
  awaited AS (
    INSERT INTO approval (merchant_account_id, operation_id, kind, token, expires_at, created_at)
    SELECT s.merchant_account_id, s.id, 'challenge', @approvalToken, @challengeExpiresAt, @now FROM ${started} s
    WHERE @approvalToken::text IS NOT NULL)`;

/** Returns the values of the parameters that begunExpressions names. */
export const authenticationValues = (
  { steps, eventId, challenge }: StartedAuthentication,
  environment: string,
) => ({
  steps: JSON.stringify(steps),
  eventA: eventId,
  environment,
  approvalToken: challenge?.token ?? null,
  challengeExpiresAt: challenge?.expiresAt ?? null,
});

/** Returns the columns of a claimed authorisation that depend on its authentication. */
export const columnsAfter = (authentication: StartedAuthentication | null, leaseUntil: Date) =>
  authentication?.challenge
    ? ({ status: 'buyer_approval_pending', unsent: true, attempts: 0, leaseUntil: null } as const)
    : ({
        status: 'processing',
        unsent: false,
        attempts: isRefused(authentication) ? 0 : 1,
        leaseUntil,
      } as const);

/** True when the authentication prevents any call of the provider. */
const isRefused = (authentication: StartedAuthentication | null): boolean =>
  authentication !== null && refusalOf(authentication.threeDSecure) !== null;

const stepsFrom = (operation: string): string => `steps AS (
    INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
    SELECT s.merchant_account_id, h.id, s.transaction_id, h.name, h.context, ${ACTOR}::jsonb, @now::timestamptz
    FROM ${operation} s CROSS JOIN jsonb_to_recordset(@steps::jsonb) AS h (id uuid, name text, context jsonb))`;

/** The end of a challenge. */
export type ConclusionRow = {
  /** The operation as claimed. */
  readonly operation: Operation;
  readonly threeDSecure: ThreeDSecure;
  /**
   * The ways of the transaction's status: each status before, with the status after. Null keeps the status until the
   * payment is settled.
   */
  readonly ways: Readonly<Partial<Record<TransactionStatus, TransactionStatus>>> | null;
  readonly steps: readonly Step[];
  readonly eventId: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
};

const STATEMENT = prepareFile(import.meta, 'conclude-challenge.sql');

/**
 * Writes the end of a challenge: on the transaction, in its history, and as an event. Returns null when the operation
 * has ended or another process claimed it. Nothing is written then.
 */
export async function storeConclusion(db: Db, row: ConclusionRow): Promise<Transaction | null> {
  const { merchantAccountId, id, transactionId, leaseUntil, attempts } = row.operation;
  const [written] = await db.query<{ transaction: JsonRow }>(
    STATEMENT({
      account: merchantAccountId,
      transaction: transactionId,
      operation: id,
      held: leaseUntil,
      attempts,
      ways: row.ways && JSON.stringify(row.ways),
      threeDSecure: JSON.stringify(row.threeDSecure),
      steps: JSON.stringify(row.steps),
      eventA: row.eventId,
      environment: row.environment,
      now: row.now,
    }),
  );
  return written ? toTransaction(written.transaction) : null;
}
