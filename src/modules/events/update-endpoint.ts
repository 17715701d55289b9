import type { App, Viewer } from '../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/validate.ts';
import { updateInput, type UpdateWebhookEndpointInput } from './input.ts';
import { changeEndpoint } from './store/endpoints.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/**
 * Changes what is given, or stops and starts the endpoint: stopped, its deliveries wait and nothing is lost. What is left
 * out or null stays, but for a null description, which clears it.
 */
export async function updateWebhookEndpoint(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdateWebhookEndpointInput,
): Promise<Result<WebhookEndpoint, InvalidInput | NotFound>> {
  const parsed = parseInput(updateInput(app.http), input);
  if (!parsed.ok) return parsed;
  const { url, description, eventNames, active } = parsed.value;
  const change = { url: url ?? undefined, description, eventNames, active: active ?? undefined };
  const changed = await changeEndpoint(app.db, viewer.merchantAccountId, id, change, app.clock.now());
  return changed ? ok(changed) : refuse(notFound('webhook endpoint'));
}
