import { refuse, type Result } from '../../kernel/result.ts';
import { isDuplicate } from './db.ts';

/**
 * Writes a record with a unique value, or returns a refusal when another record has the value. The function `taken`
 * finds that record. When `taken` returns null, the value is free again and the write is repeated. An error from
 * `taken` is thrown.
 */
export async function writeUnlessTaken<Value, Refusal, Taken>(
  write: () => Promise<Result<Value, Refusal>>,
  taken: (error: unknown) => Promise<Taken | null>,
): Promise<Result<Value, Refusal | Taken>> {
  // Each further round follows a change of the other record, so the rounds end.
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
