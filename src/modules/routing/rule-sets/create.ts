import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal, InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { createOnce, refuseKey } from '../../idempotency/index.ts';
import { createRuleSetInput, type CreateRuleSetInput } from '../input/rules.ts';
import { insertRuleSet } from '../store.ts';
import { recordRuleSetEvent } from './event.ts';
import type { Kept, RuleSet } from '../model/rule-set.ts';

/** `replayed`: the answer comes from the record of the idempotency key. */
export type CreatedRuleSet = { readonly ruleSet: RuleSet; readonly replayed: boolean };

/**
 * Creates a rule set without versions. Commits once: the rule set, its event and the record of the idempotency key. No payment
 * changes its way.
 */
export async function createRoutingRuleSet(
  app: App,
  { merchantAccountId }: Viewer,
  given: CreateRuleSetInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedRuleSet, InvalidInput | IdempotencyRefusal>> {
  const parsed = parseInput(createRuleSetInput, given);
  const badKey = refuseKey(idempotencyKey);
  if (!parsed.ok) return badKey ? refuse(...parsed.refusals, badKey) : parsed;
  if (badKey) return refuse(badKey);
  const now = app.clock.now();
  const { name } = parsed.value;
  const ruleSet: RuleSet = {
    ...{ merchantAccountId, id: app.ids.uuid(), name, latestVersion: 0 },
    ...{ createdAt: now, updatedAt: now },
  };
  const once = {
    ...{ merchantAccountId, operation: 'createRoutingRuleSet', key: idempotencyKey, now },
    input: { input: parsed.value },
  };
  const created = await createOnce(app.db, once, async (tx): Promise<Kept<RuleSet>> => {
    await insertRuleSet(tx, ruleSet);
    await recordRuleSetEvent(app, tx, 'created', ruleSet);
    return { ...ruleSet, createdAt: now.toISOString(), updatedAt: now.toISOString() };
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({
    ruleSet: { ...value, createdAt: new Date(value.createdAt), updatedAt: new Date(value.updatedAt) },
    replayed,
  });
}
