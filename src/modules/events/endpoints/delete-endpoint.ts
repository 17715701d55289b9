import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { markDeleted } from './endpoints.sql.ts';

/**
 * Deletes an endpoint; what was not delivered is cancelled, in the same commit or, of a long queue, by the dispatcher soon
 * after. Asked again it answers the same and changes nothing, so that a lost answer can be asked for. Answers the id.
 */
export async function deleteWebhookEndpoint(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<string, NotFound>> {
  const deleted = await markDeleted(app.db, viewer.merchantAccountId, id, app.clock.now());
  return deleted ? ok(id.toLowerCase()) : refuse(notFound('webhook endpoint'));
}
