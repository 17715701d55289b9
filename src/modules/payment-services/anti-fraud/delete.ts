import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { momentAfter } from '../payment-service.ts';
import { findStoredAntiFraudService } from '../store/anti-fraud-services.ts';
import { toAntiFraudService, type AntiFraudService } from './anti-fraud-service.ts';
import { writeChange } from './write-change.ts';

/**
 * Deletes an anti-fraud service softly: it judges no new payment, while the checks that it made still name it. Commits once,
 * with the event. Asked again it answers the same and changes nothing, so that a lost answer can be asked for.
 */
export async function deleteAntiFraudService(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<AntiFraudService, NotFound>> {
  // Every further round follows a change that somebody else has stored, so the rounds end.
  for (;;) {
    const stored = await findStoredAntiFraudService(app.db, viewer.merchantAccountId, id);
    if (!stored) return refuse(notFound('anti-fraud service'));
    if (stored.deletedAt) return ok(toAntiFraudService(app, stored));
    const now = momentAfter(stored.updatedAt, app.clock.now());
    const deleted = { ...stored, deletedAt: now, updatedAt: now };
    if (await writeChange(app, 'deleted', stored, deleted)) return ok(toAntiFraudService(app, deleted));
  }
}
