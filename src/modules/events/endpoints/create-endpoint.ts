import type { App, Viewer } from '../../../app.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { refuseKey, createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { digestCredentials, sealCredentials } from './credentials.ts';
import { createInput, type CreateWebhookEndpointInput } from './input.ts';
import { secretContext } from './secrets.ts';
import { SECRET_BYTES, secretText } from './sign.ts';
import { insertEndpoint } from './endpoints.sql.ts';
import { fromJson, toJson, type WebhookEndpoint } from './webhook-endpoint.ts';

/** A new endpoint. */
export type CreatedWebhookEndpoint = {
  readonly webhookEndpoint: WebhookEndpoint;
  /** Shown only in this response. Null when the response comes from the record of an idempotency key. */
  readonly secret: string | null;
  readonly replayed: boolean;
};

/** The most endpoints of a merchant account. Each event is written once for each subscribed endpoint. */
const ENDPOINT_MAX = 50;

/**
 * Registers an address for events from now on. Commits once: the endpoint, its sealed secret, and the record of the
 * idempotency key. Refuses addresses that the outbound client refuses, and a 51st endpoint.
 */
export async function createWebhookEndpoint(
  app: App,
  viewer: Viewer,
  input: CreateWebhookEndpointInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedWebhookEndpoint, InvalidInput | IdempotencyRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const parsed = parseInput(createInput(app.http), input);
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const now = app.clock.now();
  const { headers, basicAuthentication, ...settings } = parsed.value;
  const credentials = { headers, basicAuthentication };
  const endpoint: WebhookEndpoint = {
    ...{ merchantAccountId, id: app.ids.uuid(), createdAt: now, updatedAt: now },
    ...settings,
    headerNames: headers.map(({ name }) => name),
    basicAuthenticationUsername: basicAuthentication?.username ?? null,
    ...{ state: 'active', stateReason: null, stateChangedAt: now },
    ...{ failingSince: null, pausedUntil: null, disabledAt: null },
  };
  const secret = secretText(app.ids.random(SECRET_BYTES));
  // Sealed before the transaction begins, because the vault may need a connection of its own.
  const secretId = app.ids.uuid();
  const sealed = await app.vault.seal(secretContext(merchantAccountId, secretId), secret);
  const owner = { merchantAccountId, endpointId: endpoint.id };
  const columns = await sealCredentials(app.vault, owner, credentials);
  const once = {
    merchantAccountId,
    operation: 'createWebhookEndpoint',
    key: idempotencyKey,
    input: {
      input: {
        ...settings,
        // Keys from before formats keep their fingerprints.
        bodyFormat: settings.bodyFormat === 'paygraph' ? null : settings.bodyFormat,
        ...(await digestCredentials(app.vault, merchantAccountId, credentials)),
      },
    },
    now,
  };
  const created = await createOrRefuse(app.db, once, async (tx) => {
    const hasRoom = await insertEndpoint(tx, endpoint, columns, { id: secretId, sealed }, ENDPOINT_MAX);
    return hasRoom ? ok(toJson(endpoint)) : refuse(FULL);
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({ webhookEndpoint: fromJson(value), secret: replayed ? null : secret, replayed });
}

const FULL = invalidInput(
  ['input'],
  `A merchant account has at most ${ENDPOINT_MAX} webhook endpoints. Delete one first.`,
);
