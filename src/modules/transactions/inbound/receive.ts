import { actingAs } from '../../../platform/database/acting.ts';
import { environmentOf } from '../../../platform/process/config.ts';
import type { App } from '../../../app.ts';
import { readWebhook, type WebhookReading } from '../../../connectors/reading/read-webhook.ts';
import type {
  DeliveredWebhook,
  WebhookRefusal,
  WebhookRequest,
} from '../../../connectors/notices/webhook.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findWebhookReceiver, type WebhookReceiver } from '../../payment-services/index.ts';
import { countVerdict, type News } from '../notices/verdict-counter.ts';
import { lookUpsOf, type LookUp } from '../named/look-up.ts';
import { noteReported } from '../named/note-reported.ts';
import { storeNotice } from '../notices/store-notice.ts';
import type { StoredWebhook } from '../notices/webhook.ts';
import { applyLeaseUntil } from '../notices/schedule.ts';
import { countUnread } from '../unread/counts.ts';
import { keepUnread } from '../unread/keep.ts';

/**
 * Verifies a provider's webhook over its bytes, and stores each of its notices once. Keeps the signed parts that could not be
 * read, for `applyUnreadWebhook`. Returns the new notices for `applyReceived`, and the payments for `lookUpPayments`.
 *
 * Commits once for each notice, each payment to look up and each unread part. After a crash or a throw, the loops apply the
 * stored notices and ask about the payments. The provider's retry brings the rest.
 *
 * Refuses an unknown address. `unserved`: this process lacks the connector. `unavailable`: the text for the check cannot be fetched
 * now. Throws for a merchant account that another cell serves.
 */
export async function receiveWebhook(
  app: App,
  { token, headers, rawBody }: DeliveredWebhook,
): Promise<Result<ReceivedWebhook, 'not_found' | 'unserved' | 'unavailable' | WebhookRefusal>> {
  const receiver = await findWebhookReceiver(app, token);
  if (!receiver) return refuse('not_found');
  if (receiver === 'unserved') return refuse('unserved');
  const receiving = receiveFor(app, receiver, { headers, rawBody });
  return countVerdict(app, receiver.connection.connector.id, receiving, newsOf);
}

/**
 * Answers a GET by which a provider proves an address before its first webhook. Null for an unknown address, for a provider that
 * demands no proof, and for another request. Writes nothing.
 */
export async function proveAddress(
  app: App,
  { token, query }: { readonly token: string; readonly query: Readonly<Record<string, string>> },
): Promise<string | null> {
  const receiver = await findWebhookReceiver(app, token);
  if (!receiver || receiver === 'unserved') return null;
  const { connector, credentials } = receiver.connection;
  try {
    return connector.webhooks?.challenge?.(query, credentials) ?? null;
  } catch {
    app.log.error(
      { connector: connector.id },
      'The connector threw an exception about the proof of an address.',
    );
    return null;
  }
}

/** The content of a webhook that was new. */
export type ReceivedWebhook = {
  readonly stored: readonly StoredWebhook[];
  readonly lookUps: readonly LookUp[];
};

function newsOf({ stored, lookUps }: ReceivedWebhook): News {
  if (stored.length > 0) return 'stored';
  return lookUps.length > 0 ? 'look_up' : 'nothing_new';
}

async function receiveFor(
  app: App,
  receiver: WebhookReceiver,
  { headers, rawBody }: Omit<DeliveredWebhook, 'token'>,
): Promise<Result<ReceivedWebhook, 'unavailable' | WebhookRefusal>> {
  const { merchantAccountId, paymentServiceId, connection } = receiver;
  const { definition, credentials } = connection;
  const receivedAt = app.clock.now();
  const environment = environmentOf(app.config);
  const request = { headers, rawBody, credentials, definition, environment, now: receivedAt } as const;
  const read = await readWith(app, receiver, request);
  if (!read.ok) {
    tellRefusal(app, receiver, read.refusals[0]);
    return read;
  }
  const stored: StoredWebhook[] = [];
  for (const notice of read.value.notices) {
    const given = { merchantAccountId, paymentServiceId, notice, receivedAt };
    const webhook = await storeNotice(app, given, applyLeaseUntil(receivedAt));
    if (webhook) stored.push(webhook);
  }
  await failpoint('inbound.stored');
  const lookUps = await noteReported(app, lookUpsOf(receiver, read.value.lookUps));
  await keepRest(app, receiver, read.value, receivedAt);
  return ok({ stored, lookUps });
}

/** Keeps the parts that were not read, and counts the ignored ones. */
async function keepRest(
  given: App,
  { merchantAccountId, paymentServiceId, connection: { connector } }: WebhookReceiver,
  { unread, unsigned }: WebhookReading,
  receivedAt: Date,
): Promise<void> {
  const app = actingAs(given, { kind: 'provider', id: paymentServiceId });
  const provider = connector.id;
  if (unsigned > 0) {
    countUnread(app, provider, 'unsigned_item', unsigned);
    app.log.warn(
      { merchantAccountId, paymentServiceId, unsigned },
      'Unsigned parts of a webhook were ignored.',
    );
  }
  for (const part of unread) {
    countUnread(app, provider, part.reason);
    await keepUnread(app, { merchantAccountId, paymentServiceId, provider, receivedAt }, part);
  }
}

/**
 * Logs and counts a refusal. Anybody can send a webhook with a wrong signature. An untrusted certificate is for the operator to
 * act on.
 */
function tellRefusal(
  app: App,
  { merchantAccountId, paymentServiceId, connection: { connector } }: WebhookReceiver,
  refusal: WebhookRefusal | 'unavailable',
): void {
  const about = { merchantAccountId, paymentServiceId, refusal };
  if (refusal !== 'unavailable') countUnread(app, connector.id, refusal);
  if (refusal === 'untrusted_certificate')
    app.log.error(
      about,
      'A genuine webhook was refused: its certificate has no valid chain to a trusted authority. NODE_EXTRA_CA_CERTS can name a missing authority.',
    );
  else app.log.warn(about, 'A webhook was refused.');
}

/** Fetches the text that the check needs, and reads the webhook. */
async function readWith(
  app: App,
  { paymentServiceId, connection: { connector } }: WebhookReceiver,
  request: WebhookRequest,
): Promise<Result<WebhookReading, WebhookRefusal | 'unavailable'>> {
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
