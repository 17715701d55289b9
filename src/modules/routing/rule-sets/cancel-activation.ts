import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Activation } from '../model/rule-set.ts';
import { cancelPlanned, findActivation } from '../store.ts';
import { recordActivationEvent } from './event.ts';

/** An activation that has begun. Payments may have followed the version, so only another activation ends it. */
export type RoutingActivationBegun = { readonly kind: 'RoutingActivationBegun' };

/**
 * Cancels an activation that has not begun. The activation stays in the list, and never decides. A repeated request changes nothing.
 * Refuses an activation that has begun. Commits once: the cancellation and its event. A payment that reads the activations before
 * the commit may still follow an activation that begins meanwhile.
 */
export const cancelRoutingActivation = (
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<Activation, NotFound | RoutingActivationBegun>> =>
  app.db.transaction(async (tx) => {
    const isCanceled = await cancelPlanned(tx, { merchantAccountId, id, now: app.clock.now() });
    const activation = await findActivation(tx, merchantAccountId, id);
    if (!activation) return refuse(notFound('routing activation'));
    if (isCanceled) await recordActivationEvent(app, tx, 'canceled', activation);
    return activation.canceledAt === null ? refuse({ kind: 'RoutingActivationBegun' }) : ok(activation);
  });
