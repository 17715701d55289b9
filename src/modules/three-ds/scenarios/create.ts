import type { App, Viewer } from '../../../app.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { refuseKey, createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { toStoredConditions } from './conditions.ts';
import { recordScenarioEvent } from './event.ts';
import { createScenarioInput, type CreateThreeDSScenarioInput } from '../input/scenario.ts';
import { refusedInProduction, type SandboxOnly } from '../sandbox.ts';
import { fromJson, toJson, type ScenarioJson, type ThreeDSScenario } from '../scenario.ts';
import { insertScenario, lockScenarios } from '../store.ts';

/** `replayed`: the answer comes from the record of the idempotency key. */
export type CreatedScenario = { readonly threeDSScenario: ThreeDSScenario; readonly replayed: boolean };

/** The limit of scenarios in a merchant account: each sandbox payment tries them all, and each move renumbers them. */
export const SCENARIOS_MAX = 200;

/**
 * Creates a 3-D Secure scenario behind all others, at most 200 in a merchant account. Refused in production. Stores
 * only the first six and last four digits of a card number and a keyed digest. Commits once: the scenario, its event
 * and the record of the idempotency key.
 */
export async function createThreeDSScenario(
  app: App,
  viewer: Viewer,
  input: CreateThreeDSScenarioInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedScenario, SandboxOnly | InvalidInput | IdempotencyRefusal>> {
  const refused = refusedInProduction(app);
  if (refused) return refused;
  const parsed = parseInput(createScenarioInput, input);
  const badKey = refuseKey(idempotencyKey);
  if (!parsed.ok) return badKey ? refuse(...parsed.refusals, badKey) : parsed;
  if (badKey) return refuse(badKey);
  const { merchantAccountId } = viewer;
  const now = app.clock.now();
  const conditions = await toStoredConditions(app, merchantAccountId, parsed.value.conditions);
  const { outcome } = parsed.value;
  const { cardNumber } = conditions;
  const canonical = { ...conditions, cardNumber: cardNumber && (cardNumber.fingerprint ?? cardNumber.bin) };
  const once = {
    merchantAccountId,
    operation: 'createThreeDSScenario',
    key: idempotencyKey,
    input: { input: { conditions: canonical, outcome } },
    now,
  };
  const fresh = {
    id: app.ids.uuid(),
    merchantAccountId,
    conditions,
    outcome,
    createdAt: now,
    updatedAt: now,
  };
  const created = await createOrRefuse(app.db, once, async (tx): Promise<Made> => {
    const others = await lockScenarios(tx, merchantAccountId);
    if (others.length >= SCENARIOS_MAX) return refuse(FULL);
    const scenario: ThreeDSScenario = { ...fresh, position: others.length + 1 };
    await insertScenario(tx, scenario);
    await recordScenarioEvent(app, tx, 'created', scenario);
    return ok(toJson(scenario));
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({ threeDSScenario: fromJson(value), replayed });
}

type Made = Result<ScenarioJson, InvalidInput>;

const FULL = invalidInput(
  ['input'],
  `A merchant account has at most ${SCENARIOS_MAX} 3-D Secure scenarios: delete some first.`,
);
