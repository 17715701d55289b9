import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { momentAfter } from '../model/payment-service.ts';
import { findStoredAntiFraudService } from './anti-fraud-services.sql.ts';
import { toAntiFraudService, type AntiFraudService } from './anti-fraud-service.ts';
import { writeChange } from './write-change.ts';

/**
 * Deletes an anti-fraud service softly: it makes no new check, and its past checks still name it. Commits once, with
 * the event. A repeated call changes nothing and returns the same answer.
 */
export async function deleteAntiFraudService(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<AntiFraudService, NotFound>> {
  // Each further round follows a change that somebody else stored, so the rounds end.
  for (;;) {
    const stored = await findStoredAntiFraudService(app.db, viewer.merchantAccountId, id);
    if (!stored) return refuse(notFound('anti-fraud service'));
    if (stored.deletedAt) return ok(toAntiFraudService(app, stored));
    const now = momentAfter(stored.updatedAt, app.clock.now());
    const deleted = { ...stored, deletedAt: now, updatedAt: now };
    if (await writeChange(app, 'deleted', stored, deleted)) return ok(toAntiFraudService(app, deleted));
  }
}
