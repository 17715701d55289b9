import type { App, Viewer } from '../../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { lockName, type Tx } from '../../../platform/database/db.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { createOrRefuse, refuseKey } from '../../idempotency/index.ts';
import { activateInput, type ActivateInput } from '../input/rules.ts';
import { findActiveAt, hasVersion, insertActivation } from '../store.ts';
import { recordActivationEvent } from './event.ts';
import type { Activation, Kept } from '../model/rule-set.ts';

export type Activated = { readonly activation: Activation; readonly replayed: boolean };

/**
 * Makes a version decide about payments, at once or from a moment on. Without a version, the order of positions decides. Each payment
 * asks for the active version in its own statement, so the next payment in every process follows. Commits once: the activation,
 * its event and the record of the idempotency key. Activations of a merchant account wait for each other, and each at once begins
 * after the one that decides before, whatever the clocks of two processes say.
 */
export async function activateRoutingRuleSet(
  app: App,
  { merchantAccountId }: Viewer,
  given: ActivateInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<Activated, InvalidInput | NotFound | IdempotencyRefusal>> {
  const parsed = parseInput(activateInput, given);
  const badKey = refuseKey(idempotencyKey);
  if (!parsed.ok) return badKey ? refuse(...parsed.refusals, badKey) : parsed;
  if (badKey) return refuse(badKey);
  const now = app.clock.now();
  const { versionId, activeFrom, note } = parsed.value;
  const once = {
    ...{ merchantAccountId, operation: 'activateRoutingRuleSet', key: idempotencyKey, now },
    input: { input: { ...parsed.value, activeFrom: activeFrom?.toISOString() ?? null } },
  };
  const made = await createOrRefuse(app.db, once, async (tx): Promise<Made> => {
    if (activeFrom && activeFrom <= now) return refuse(PAST);
    if (versionId !== null && !(await hasVersion(tx, merchantAccountId, versionId)))
      return refuse(notFound('version of a routing rule set', ['input', 'versionId']));
    const moments = await momentsOf(tx, { merchantAccountId, activeFrom, now });
    const activation = {
      ...{ merchantAccountId, id: app.ids.uuid(), versionId: versionId?.toLowerCase() ?? null },
      ...{ note, ...moments },
    };
    await insertActivation(tx, activation);
    await recordActivationEvent(app, tx, activation);
    return ok({
      ...activation,
      activeFrom: activation.activeFrom.toISOString(),
      createdAt: activation.createdAt.toISOString(),
    });
  });
  if (!made.ok) return made;
  const { value, replayed } = made.value;
  return ok({
    activation: {
      ...value,
      activeFrom: new Date(value.activeFrom),
      createdAt: new Date(value.createdAt),
    },
    replayed,
  });
}

type Given = {
  readonly merchantAccountId: string;
  readonly activeFrom: Date | null;
  readonly now: Date;
};

/**
 * Returns the moments of a new activation. An activation at once begins after the one that decides, also by a clock that is behind.
 * Other activations of the merchant account wait for this transaction.
 */
async function momentsOf(
  tx: Tx,
  { merchantAccountId, activeFrom, now }: Given,
): Promise<Pick<Activation, 'activeFrom' | 'createdAt'>> {
  await lockName(tx, `routing_activation ${merchantAccountId}`);
  if (activeFrom) return { activeFrom, createdAt: now };
  const active = await findActiveAt({ prisma: tx }, merchantAccountId, now);
  const at = new Date(Math.max(now.getTime(), (active?.activeFrom.getTime() ?? 0) + 1));
  return { activeFrom: at, createdAt: at };
}

type Made = Result<Kept<Activation>, InvalidInput | NotFound>;

const PAST = invalidInput(
  ['input', 'activeFrom'],
  'Must be in the future. Leave it out to activate at once.',
);
