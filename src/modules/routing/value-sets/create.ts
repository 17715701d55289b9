import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal, InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { createOnce, refuseKey } from '../../idempotency/index.ts';
import { createValueSetInput } from '../input/value-sets.ts';
import type { Kept } from '../model/rule-set.ts';
import { insertValueSet } from '../store.ts';
import { recordValueSetEvent } from './event.ts';
import type { ValueSet } from '../model/value-set.ts';

/** `replayed`: the answer comes from the record of the idempotency key. */
export type CreatedValueSet = { readonly valueSet: ValueSet; readonly replayed: boolean };

/** Creates a value set. Commits once: the value set, its event and the record of the idempotency key. */
export async function createRoutingValueSet(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedValueSet, InvalidInput | IdempotencyRefusal>> {
  const parsed = parseInput(createValueSetInput, given);
  const badKey = refuseKey(idempotencyKey);
  if (!parsed.ok) return badKey ? refuse(...parsed.refusals, badKey) : parsed;
  if (badKey) return refuse(badKey);
  const now = app.clock.now();
  const valueSet: ValueSet = {
    ...{ merchantAccountId, id: app.ids.uuid(), ...parsed.value },
    ...{ createdAt: now, updatedAt: now },
  };
  const once = {
    ...{ merchantAccountId, operation: 'createRoutingValueSet', key: idempotencyKey, now },
    input: { input: parsed.value },
  };
  const created = await createOnce(app.db, once, async (tx): Promise<Kept<ValueSet>> => {
    await insertValueSet(tx, valueSet);
    await recordValueSetEvent(app, tx, 'created', valueSet);
    return { ...valueSet, createdAt: now.toISOString(), updatedAt: now.toISOString() };
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({
    valueSet: { ...value, createdAt: new Date(value.createdAt), updatedAt: new Date(value.updatedAt) },
    replayed,
  });
}
