import type { App } from '../../../app.ts';
import { NO_TIMING, type HttpFailure, type HttpReply } from '../../../platform/http/http-client.ts';
import { openCredentials, type SealedCredentials } from '../endpoints/credentials.ts';
import { signatureHeader } from '../endpoints/sign.ts';
import { openSigningKey } from '../endpoints/signing-keys.ts';
import type { SealedSecret } from '../endpoints/endpoints.sql.ts';

/** The deadline of the whole exchange. Receivers should reply first and work later. */
const DEADLINE_MS = 5_000;

/**
 * The number of connections to keep open: the largest window of an endpoint. A new connection costs more than the
 * request.
 */
const IDLE_CONNECTIONS = 8;

const REPLY_BYTES_MAX = 64 * 1024;

/** An unsigned request to an endpoint. */
export type Webhook = SealedCredentials & {
  readonly merchantAccountId: string;
  readonly endpointId: string;
  readonly url: string;
  /** The event's id. */
  readonly id: string;
  /** The JSON text. */
  readonly body: string;
  readonly contentType: string;
  /** Every secret that signs at present. */
  readonly secrets: readonly SealedSecret[];
};

export type PostOutcome =
  | { readonly reply: HttpReply }
  | {
      readonly failure: Omit<HttpFailure, 'kind' | 'sent'> & {
        readonly kind: HttpFailure['kind'] | 'not_signed';
      };
    };

/** Posts once, with a signature of this moment by every live secret and the merchant's own headers. Never rejects. */
export async function postWebhook(app: App, webhook: Webhook, startedAt: Date): Promise<PostOutcome> {
  try {
    return await post(app, webhook, startedAt);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    app.log.error({ endpoint: webhook.endpointId, error: name }, 'A webhook could not be signed.');
    return { failure: { kind: 'not_signed', durationMs: 0, timing: NO_TIMING } };
  }
}

async function post(app: App, webhook: Webhook, startedAt: Date): Promise<PostOutcome> {
  const { merchantAccountId, endpointId, id, url, body, contentType } = webhook;
  const keys = await Promise.all(
    webhook.secrets.map((secret) => openSigningKey(app.vault, merchantAccountId, secret)),
  );
  // An endpoint without a secret has been deleted meanwhile. The service sends nothing unsigned.
  if (keys.length === 0) throw new Error('There is no live secret.');
  const given = await openCredentials(app.vault, { merchantAccountId, endpointId }, webhook);
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  return await app.http.send({
    method: 'POST',
    url,
    headers: {
      ...given,
      'content-type': contentType,
      'user-agent': 'Paygraph',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader({ id, timestamp, body }, keys),
    },
    body,
    deadlineMs: DEADLINE_MS,
    replyBytesMax: REPLY_BYTES_MAX,
    pool: `webhook:${endpointId}`,
    idleConnections: IDLE_CONNECTIONS,
    repeatable: true,
  });
}
