import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { updateValueSetInput } from '../input/value-sets.ts';
import { changeValueSet, findValueSetsByIds } from '../store.ts';
import { recordValueSetEvent } from './event.ts';
import type { ValueSet } from '../model/value-set.ts';

/**
 * Changes the name of a value set, its values, or both. The values are replaced as a whole, and the kind stays. No version changes.
 * Commits once, with the event.
 */
export async function updateRoutingValueSet(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
  given: unknown,
): Promise<Result<ValueSet, InvalidInput | NotFound>> {
  const [stored] = await findValueSetsByIds(app.db, merchantAccountId, [id]);
  if (!stored) return refuse(notFound('routing value set'));
  const parsed = parseInput(updateValueSetInput(stored.kind), given);
  if (!parsed.ok) return parsed;
  return await app.db.transaction(async (tx) => {
    const changed = await changeValueSet(tx, stored, { ...parsed.value, now: app.clock.now() });
    await recordValueSetEvent(app, tx, 'updated', changed);
    return ok(changed);
  });
}
