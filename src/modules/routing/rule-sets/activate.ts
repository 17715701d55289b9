import type { z } from 'zod';
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
import { canAccess, findApiKeyPairs } from '../../accounts/index.ts';
import { createOrRefuse, refuseKey } from '../../idempotency/index.ts';
import { activateInput, type ActivateInput } from '../input/rules.ts';
import { prepareVersion } from '../prepare-version.ts';
import { findActiveAt, insertActivation } from '../store.ts';
import { recordActivationEvent } from './event.ts';
import type { Activation, Kept } from '../model/rule-set.ts';

export type Activated = { readonly activation: Activation; readonly replayed: boolean };

/**
 * Makes a version decide about payments, at once or from a moment on. Without a version, the order of positions decides. Each payment
 * asks for the active version in its own statement, so the next payment in every process follows. A version that compares services
 * has its figures seconds later. Commits once: the activation, its event, the round of the figures and the record of the
 * idempotency key. Activations of a merchant account wait for each other. Each at once begins after the one that decides before,
 * whatever the clocks of two processes say.
 *
 * input.apiKeyPairId: only payments with the tokens of this key follow. Refuses a key that may not act for the merchant account.
 */
export async function activateRoutingRuleSet(
  app: App,
  viewer: Viewer,
  given: ActivateInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<Activated, InvalidInput | NotFound | IdempotencyRefusal>> {
  const parsed = parseInput(activateInput, given);
  const badKey = refuseKey(idempotencyKey);
  if (!parsed.ok) return badKey ? refuse(...parsed.refusals, badKey) : parsed;
  if (badKey) return refuse(badKey);
  const now = app.clock.now();
  const { merchantAccountId } = viewer;
  const { versionId, activeFrom, note } = parsed.value;
  const apiKeyPairId = parsed.value.apiKeyPairId?.toLowerCase() ?? null;
  const known = apiKeyPairId === null || (await hasKey(app, viewer, apiKeyPairId));
  const once = {
    ...{ merchantAccountId, operation: 'activateRoutingRuleSet', key: idempotencyKey, now },
    input: { input: canonical(parsed.value) },
  };
  const made = await createOrRefuse(app.db, once, async (tx): Promise<Made> => {
    if (activeFrom && activeFrom <= now) return refuse(PAST);
    if (versionId !== null && !(await prepareVersion(tx, { merchantAccountId, versionId, now })))
      return refuse(notFound('version of a routing rule set', ['input', 'versionId']));
    if (!known) return refuse(notFound('API key pair', ['input', 'apiKeyPairId']));
    const moments = await momentsOf(tx, { merchantAccountId, apiKeyPairId, activeFrom, now });
    const activation = {
      apiKeyPairId,
      ...{ merchantAccountId, id: app.ids.uuid(), versionId: versionId?.toLowerCase() ?? null },
      ...{ note, ...moments, canceledAt: null },
    };
    await insertActivation(tx, activation);
    await recordActivationEvent(app, tx, 'created', activation);
    const { canceledAt: _none, ...kept } = activation;
    return ok({
      ...kept,
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
      canceledAt: null,
    },
    replayed,
  });
}

/** Returns the input as compared with that of a key. A key of an earlier version, which knew no key pairs, still fits. */
const canonical = ({ apiKeyPairId, activeFrom, ...input }: z.output<typeof activateInput>) => ({
  ...input,
  ...(apiKeyPairId !== null && { apiKeyPairId }),
  activeFrom: activeFrom?.toISOString() ?? null,
});

/** True for a key that may act for the merchant account, and that the viewer may see. */
async function hasKey(app: App, viewer: Viewer, id: string): Promise<boolean> {
  const [pair] = await findApiKeyPairs(app, viewer, [id]);
  return pair != null && canAccess(pair.merchantAccountIds, viewer.merchantAccountId);
}

type Given = Pick<Activation, 'merchantAccountId' | 'apiKeyPairId'> & {
  readonly activeFrom: Date | null;
  readonly now: Date;
};

/**
 * Returns the moments of a new activation. An activation at once begins after the one that decides, also by a clock that is behind.
 * Other activations of the merchant account wait for this transaction.
 */
async function momentsOf(
  tx: Tx,
  { activeFrom, now, ...whose }: Given,
): Promise<Pick<Activation, 'activeFrom' | 'createdAt'>> {
  await lockName(tx, `routing_activation ${whose.merchantAccountId}`);
  if (activeFrom) return { activeFrom, createdAt: now };
  const active = await findActiveAt({ prisma: tx }, whose, now);
  const at = new Date(Math.max(now.getTime(), (active?.activeFrom.getTime() ?? 0) + 1));
  return { activeFrom: at, createdAt: at };
}

type Made = Result<Kept<Omit<Activation, 'canceledAt'>>, InvalidInput | NotFound>;

const PAST = invalidInput(
  ['input', 'activeFrom'],
  'Must be in the future. Leave it out to activate at once.',
);
