import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { sealCredentials } from './credentials.ts';
import { AUTHORIZATION_TWICE } from './input-credentials.ts';
import { updateInput, type UpdateWebhookEndpointInput } from './input.ts';
import { changeEndpoint } from './endpoints.sql.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/**
 * Changes the given fields, or disables or enables the endpoint. Deliveries of a disabled endpoint wait, so nothing is
 * lost. An absent or null field stays. But null clears the description, headers or basic authentication. Refuses basic
 * authentication beside a header `authorization`, whichever is stored already.
 */
export async function updateWebhookEndpoint(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdateWebhookEndpointInput,
): Promise<Result<WebhookEndpoint, InvalidInput | NotFound>> {
  const parsed = parseInput(updateInput(app.http), input);
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const { url, description, eventNames, bodyFormat, autoDisable, active, ...credentials } = parsed.value;
  // Ids are stored in lower case, and a sealed value opens only for its own id.
  const owner = { merchantAccountId, endpointId: id.toLowerCase() };
  const change = {
    ...{ url: url ?? undefined, description, eventNames, autoDisable: autoDisable ?? undefined },
    bodyFormat: bodyFormat ?? undefined,
    ...(await sealCredentials(app.vault, owner, credentials)),
    active: active ?? undefined,
  };
  const changed = await changeEndpoint(app.db, merchantAccountId, id, change, app.clock.now());
  if (changed === 'authorization_twice') return refuse(invalidInput(['input'], AUTHORIZATION_TWICE));
  return changed ? ok(changed) : refuse(notFound('webhook endpoint'));
}
