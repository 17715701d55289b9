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
import { storeNotice } from '../notices/store-notice.ts';
import type { StoredWebhook } from '../notices/webhook.ts';
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
    tellRefusal(app, { merchantAccountId, paymentServiceId, refusal: read.refusals[0] });
    return read;
  }
  const stored: StoredWebhook[] = [];
  for (const notice of read.value) {
    const given = { merchantAccountId, paymentServiceId, notice, receivedAt };
    const webhook = await storeNotice(app, given, applyLeaseUntil(receivedAt));
    if (webhook) stored.push(webhook);
  }
  await failpoint('inbound.stored');
  return ok(stored);
}

type Refused = Pick<WebhookReceiver, 'merchantAccountId' | 'paymentServiceId'> & {
  readonly refusal: WebhookRefusal | 'unavailable';
};

/** Logs a refusal. Anybody can send a webhook with a wrong signature. An untrusted certificate is for the operator to act on. */
function tellRefusal({ log }: Pick<App, 'log'>, about: Refused): void {
  if (about.refusal === 'untrusted_certificate')
    log.error(
      about,
      'A genuine webhook was refused: its certificate has no valid chain to a trusted authority. NODE_EXTRA_CA_CERTS can name a missing authority.',
    );
  else log.warn(about, 'A webhook was refused.');
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
