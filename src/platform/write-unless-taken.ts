import { refuse, type Result } from '../kernel/result.ts';
import { isDuplicate } from './db.ts';

/**
 * Writes a record with a value that must be unique, or refuses with what is in the way. `taken` says who has the value; null:
 * nobody any more, and it is written again. Throws the database's refusal when `taken` throws it.
 */
export async function writeUnlessTaken<Value, Refusal, Taken>(
  write: () => Promise<Result<Value, Refusal>>,
  taken: (error: unknown) => Promise<Taken | null>,
): Promise<Result<Value, Refusal | Taken>> {
  // Every further round follows a change of the record that was in the way, so the rounds end.
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const refusal = await taken(error);
      if (refusal !== null) return refuse(refusal);
    }
  }
}
