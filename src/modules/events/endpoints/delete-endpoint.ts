import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { markDeleted } from './endpoints.sql.ts';

/**
 * Deletes an endpoint and cancels its undelivered events. The same commit cancels the first of them. The dispatcher
 * soon cancels the rest of a long queue. A repeat returns the same result and changes nothing. Returns the id.
 */
export async function deleteWebhookEndpoint(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<string, NotFound>> {
  const deleted = await markDeleted(app.db, viewer.merchantAccountId, id, app.clock.now());
  return deleted ? ok(id.toLowerCase()) : refuse(notFound('webhook endpoint'));
}
