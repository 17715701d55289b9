import { environmentOf } from '../../../platform/config.ts';
import type { App } from '../../../app.ts';
import { readWebhook } from '../../../connectors/read-webhook.ts';
import type {
  DeliveredWebhook,
  WebhookNotice,
  WebhookRefusal,
  WebhookRequest,
} from '../../../connectors/webhook.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findWebhookReceiver, type WebhookReceiver } from '../../payment-services/index.ts';
import { insertWebhook } from './inbound.sql.ts';
import { sealToken } from './token.ts';
import type { StoredWebhook } from './webhook.ts';
import { applyLeaseUntil } from '../notices/schedule.ts';

/**
 * Verifies a provider's webhook over its bytes and stores each of its events once. Returns the new events for `applyReceived`.
 * Commits once for each event. After a crash or a throw, the loop applies the stored events and the provider's retry brings the
 * rest. Refuses an unknown address. `unavailable`: the text for the check cannot be fetched now.
 */
export async function receiveWebhook(
  app: App,
  { token, headers, rawBody }: DeliveredWebhook,
): Promise<Result<readonly StoredWebhook[], 'not_found' | 'unavailable' | WebhookRefusal>> {
  const receiver = await findWebhookReceiver(app, token);
  if (!receiver) return refuse('not_found');
  const { merchantAccountId, paymentServiceId, connection } = receiver;
  const { definition, credentials } = connection;
  const receivedAt = app.clock.now();
  const environment = environmentOf(app.config);
  const request = { headers, rawBody, credentials, definition, environment, now: receivedAt } as const;
  const read = await readWith(app, receiver, request);
  if (!read.ok) {
    app.log.warn(
      { merchantAccountId, paymentServiceId, refusal: read.refusals[0] },
      'A webhook was refused.',
    );
    return read;
  }
  const stored: StoredWebhook[] = [];
  for (const notice of read.value) {
    const id = app.ids.uuid();
    const apart = await sealToken(app.vault, { merchantAccountId, id }, notice);
    const webhook = { merchantAccountId, id, paymentServiceId, ...apart, receivedAt };
    if (await insertWebhook(app.db, webhook, applyLeaseUntil(receivedAt))) stored.push(webhook);
  }
  await failpoint('inbound.stored');
  return ok(stored);
}

/** Fetches the text that the check needs, and reads the webhook. */
async function readWith(
  app: App,
  { paymentServiceId, connection: { connector } }: WebhookReceiver,
  request: WebhookRequest,
): Promise<Result<readonly WebhookNotice[], WebhookRefusal | 'unavailable'>> {
  const material = await app.webhookMaterial.of(paymentServiceId, connector, request);
  switch (material.kind) {
    case 'none':
      return readWebhook(connector, request, app.log);
    case 'text':
      return readWebhook(connector, { ...request, material: material.text }, app.log);
    case 'forbidden':
      return refuse('bad_signature');
    case 'unavailable':
      return refuse('unavailable');
  }
}
