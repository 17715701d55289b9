import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Choice, Operation } from '../model/operation.ts';
import type { RetryPlan } from '../retry-rules/plan.ts';
import type { Transaction } from '../model/transaction.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { PlanOf } from './plans.sql.ts';

/** A payment with a plan, as one read found it. */
export type PlannedPayment = {
  readonly transaction: Transaction;
  readonly version: string;
  /** The latest authorisation that was requested here. */
  readonly last: Operation;
  /** True while any operation of the payment is pending. */
  readonly isOpen: boolean;
};

const factsStatement = prepareFile(import.meta, 'read-retry-plan-facts.sql');

type FactsRow = Omit<PlannedPayment, 'transaction' | 'last'> &
  Readonly<Record<'transaction' | 'operation', JsonRow>>;

/** Reads the payment of a plan. Throws if the payment is gone. */
export async function readPlannedPayment(
  db: Db,
  { merchantAccountId: account, transactionId: transaction }: PlanOf,
): Promise<PlannedPayment> {
  const [row] = await db.query<FactsRow>(factsStatement({ account, transaction }));
  if (!row) throw new Error(`The payment ${transaction} of a retry plan is gone`);
  const { operation, ...facts } = row;
  return { ...facts, transaction: toTransaction(row.transaction), last: toOperation(operation) };
}

/** The card of a try, as the payment shows the card from then on. */
export type CardOfTry = Pick<Transaction, 'cardScheme' | 'cardBin' | 'cardLastFour' | 'cardExpirationDate'>;

export type NewTry = CardOfTry & {
  readonly plan: RetryPlan;
  readonly payment: PlannedPayment;
  /** The fingerprint of the stored card. Null if only its provider knows the card. */
  readonly fingerprint: string | null;
  readonly operationId: string;
  readonly choice: Choice;
  readonly providerKeys: readonly string[];
  readonly sealedCard: string | null;
  /** The most authorisations since a moment. Null: any number. */
  readonly attemptsMax: number | null;
  readonly since: Date;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The time of the plan's next look, if this process dies. */
  readonly lookAt: Date;
};

const claimStatement = prepareFile(import.meta, 'claim-later-try.sql');

/** A claimed try: a pending authorisation, its payment, and the payment's version. */
export type ClaimedTry = {
  readonly operation: Operation;
  readonly transaction: Transaction;
  readonly version: string;
};

/**
 * Claims a try in one statement and one commit. Null when the plan or the payment has changed since it was read. Null, too, when the
 * card is at its limit. Nothing is written then, and no provider may be called.
 */
export async function claimTry(db: Db, { plan, payment, ...given }: NewTry): Promise<ClaimedTry | null> {
  const { transaction, version } = payment;
  const [row] = await db.query<Omit<FactsRow, 'isOpen'>>(
    claimStatement({
      ...{ account: plan.merchantAccountId, transaction: plan.transactionId, version, tries: plan.tries },
      ...{ method: transaction.paymentMethodId, fingerprint: given.fingerprint },
      ...{ operation: given.operationId, choice: given.choice, providerKeys: given.providerKeys },
      ...{ sealedCard: given.sealedCard, attemptsMax: given.attemptsMax, since: given.since },
      ...{ now: given.now, leaseUntil: given.leaseUntil, lookAt: given.lookAt },
      ...{ cardScheme: given.cardScheme, cardBin: given.cardBin, cardLastFour: given.cardLastFour },
      cardExpirationDate: given.cardExpirationDate,
    }),
  );
  return row
    ? { ...row, operation: toOperation(row.operation), transaction: toTransaction(row.transaction) }
    : null;
}
