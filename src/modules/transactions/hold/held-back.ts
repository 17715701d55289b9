import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isAccountAway, isHeldBack, type Db } from '../../../platform/database/db.ts';
import type { PaymentsHeld } from '../model/refusals.ts';
import { readHold } from './hold.ts';

/**
 * Runs a claim, and refuses it while payments are held back after a restore. The database decides in the statement of the
 * claim, so every process obeys at once. A refused claim leaves nothing and uses no idempotency key.
 */
export const unlessHeld = <Value>(claim: Promise<Value>): Promise<Result<Value, PaymentsHeld>> =>
  claim.then(ok<Value>).catch((error: unknown) => {
    if (isHeldBack(error)) return refuse<PaymentsHeld>({ kind: 'PaymentsHeld' });
    throw error;
  });

/**
 * Returns the answer of a statement that starts or sends an operation. Null while payments are held back, and while the
 * merchant account moves to another cell. The operation then goes on there.
 */
export async function orHeld<Value>(statement: Promise<Value>): Promise<Value | null> {
  try {
    return await statement;
  } catch (error) {
    if (isHeldBack(error) || isAccountAway(error)) return null;
    throw error;
  }
}

/** True while payments are held back. For the few calls of a provider that no claim precedes. */
export const isHeld = async (db: Db): Promise<boolean> => (await readHold(db)) !== null;

/** The pause before held work looks again for the end of the hold. */
const PAUSE_MS = 30_000;

/** Returns the moment at which held work looks again for the end of the hold. */
export const nextLookAtHold = (now: Date): Date => new Date(now.getTime() + PAUSE_MS);
