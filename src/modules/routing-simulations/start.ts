import type { App, Viewer } from '../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { createOrRefuse, refuseKey } from '../idempotency/index.ts';
import { findRoutingVersionHeads } from '../routing/index.ts';
import { refusePeriod, simulateInput, type SimulateInput } from './input.ts';
import { simulationFromJson, simulationToJson, type Simulation } from './simulation.ts';
import { insertSimulation } from './store.ts';

/** The most unfinished simulations of a merchant account. They take turns, so more would only wait. */
const UNFINISHED_MAX = 3;

export type Started = { readonly simulation: Simulation; readonly replayed: boolean };

/**
 * Plays past payments through a version. The worker reads the payments, and no payment changes its way. Commits once: the simulation
 * and the record of the idempotency key. Refuses a fourth unfinished simulation and a period of the future.
 */
export async function simulateRouting(
  app: App,
  viewer: Viewer,
  given: SimulateInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<Started, InvalidInput | NotFound | IdempotencyRefusal>> {
  const now = app.clock.now();
  const parsed = parseInput(simulateInput, given);
  const badKey = refuseKey(idempotencyKey);
  if (!parsed.ok) return badKey ? refuse(...parsed.refusals, badKey) : parsed;
  if (badKey) return refuse(badKey);
  const { merchantAccountId } = viewer;
  const { from, sample } = parsed.value;
  const to = parsed.value.to ?? now;
  const [version] = await findRoutingVersionHeads(app, viewer, [parsed.value.versionId]);
  const once = {
    ...{ merchantAccountId, operation: 'simulateRouting', key: idempotencyKey, now },
    input: {
      input: { ...parsed.value, from: from.toISOString(), to: parsed.value.to?.toISOString() ?? null },
    },
  };
  const started = await createOrRefuse(app.db, once, async (tx): Promise<Made> => {
    const badPeriod = refusePeriod({ from, to, now });
    if (badPeriod) return refuse(badPeriod);
    if (!version) return refuse(notFound('version of a routing rule set', ['input', 'versionId']));
    const simulation: Simulation = {
      ...{ merchantAccountId, id: app.ids.uuid(), versionId: version.id, from, to, sample },
      ...{ status: 'pending', scanned: 0, placeAt: null, result: null },
      ...{ createdAt: now, startedAt: null, endedAt: null },
    };
    const isRoom = await insertSimulation(tx, simulation, UNFINISHED_MAX);
    return isRoom ? ok(simulationToJson(simulation)) : refuse(TOO_MANY);
  });
  if (!started.ok) return started;
  const { value, replayed } = started.value;
  return ok({ simulation: simulationFromJson(value), replayed });
}

type Made = Result<ReturnType<typeof simulationToJson>, InvalidInput | NotFound>;

const TOO_MANY = invalidInput(
  ['input'],
  `${UNFINISHED_MAX} simulations of this merchant account are unfinished. Wait for one of them, or cancel one.`,
);
