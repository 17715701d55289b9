import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** The hold of payments after a restore. Money moves at no provider until the hold ends. */
export type Hold = {
  /** The moment of the backup. */
  readonly restoredTo: Date;
  /** The comparison with the providers covers the payments since this moment. */
  readonly paymentsSince: Date;
  readonly startedAt: Date;
};

const readStatement = prepareFile(import.meta, 'read-hold.sql');

/** Reads the hold. Null while payments go on as usual. */
export async function readHold(db: Pick<Db, 'query'>): Promise<Hold | null> {
  const [hold] = await db.query<Hold>(readStatement({}));
  return hold ?? null;
}

/** True while the same hold stands. A later hold is another one. */
export const stillStands = async (db: Pick<Db, 'query'>, { startedAt }: Hold): Promise<boolean> =>
  (await readHold(db))?.startedAt.getTime() === startedAt.getTime();

const beginStatement = prepareFile(import.meta, 'begin-hold.sql');

/**
 * Holds payments back, of all merchant accounts and in every process at once. Commits once: the hold, and an audit entry
 * for each merchant account. Waits up to ten seconds for the claims under way. Returns false if payments are held back
 * already.
 */
export async function beginHold(db: Db, { restoredTo, paymentsSince, startedAt }: Hold): Promise<boolean> {
  const [row] = await db.query<{ begun: boolean }>(beginStatement({ restoredTo, paymentsSince, startedAt }));
  return row?.begun === true;
}

const endStatement = prepareFile(import.meta, 'end-hold.sql');

/**
 * Ends a hold. Commits once, with an audit entry for each merchant account that keeps `state`. Returns false if the hold
 * has ended already.
 */
export async function endHold(db: Db, { startedAt }: Hold, state: object): Promise<boolean> {
  const [row] = await db.query<{ ended: boolean }>(endStatement({ startedAt, state: JSON.stringify(state) }));
  return row?.ended === true;
}
