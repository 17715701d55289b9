import type { IdempotencyRefusal, InvalidInput } from '../../kernel/refusal.ts';
import { refuse, type Refused, type Result } from '../../kernel/result.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { createOnce, type Once } from './create-once.ts';

/**
 * Runs `createOnce` for a creation that reads the database before it can refuse. A refusal rolls the transaction back
 * and uses no key. A repeat returns the stored result and does not read again, even if the data has changed.
 */
export async function createOrRefuse<Value, Refusal>(
  db: Db,
  once: Once,
  create: (tx: Tx) => Promise<Result<Value, Refusal>>,
): Promise<
  Result<{ readonly value: Value; readonly replayed: boolean }, Refusal | IdempotencyRefusal | InvalidInput>
> {
  const undo = new Error('The creation was refused.');
  let refused: Refused<Refusal> | undefined;
  try {
    return await createOnce(db, once, async (tx) => {
      const created = await create(tx);
      if (created.ok) return created.value;
      refused = created;
      // Only a throw ends the transaction without a commit.
      throw undo;
    });
  } catch (error) {
    if (error !== undo || !refused) throw error;
    return refuse(...refused.refusals);
  }
}
