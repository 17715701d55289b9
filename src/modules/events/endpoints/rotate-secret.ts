import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { refuseKey, createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { CreatedWebhookEndpoint } from './create-endpoint.ts';
import { secretContext } from './secrets.ts';
import { SECRET_BYTES, secretText } from './sign.ts';
import { rotateSecret } from './secrets.sql.ts';
import { fromJson, toJson, type WebhookEndpointJson } from './webhook-endpoint.ts';

/** The most live secrets. Every live secret signs every request. */
const SECRET_MAX = 5;

/** A week, like the time in which a delivery is retried. */
const OVERLAP_MINUTES_MAX = 10_080;

const overlap = z
  .int()
  .min(0, `Must be 0 to ${OVERLAP_MINUTES_MAX}.`)
  .max(OVERLAP_MINUTES_MAX, `Must be 0 to ${OVERLAP_MINUTES_MAX}.`);

/** The request for a rotation. */
export type RotateWebhookSecret = {
  readonly id: string;
  /** The time in which earlier secrets still sign. 0 ends them at once. */
  readonly overlapMinutes: number;
};

/**
 * Gives an endpoint a new signing secret that signs from now on. Earlier secrets sign too, until the overlap ends or
 * their own end comes. Commits once: the secrets and the record of the idempotency key. Refuses a sixth live secret.
 */
export async function rotateWebhookSecret(
  app: App,
  viewer: Viewer,
  { id, overlapMinutes }: RotateWebhookSecret,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedWebhookEndpoint, InvalidInput | NotFound | IdempotencyRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const parsed = parseInput(overlap, overlapMinutes, 'overlapMinutes');
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const now = app.clock.now();
  const secret = secretText(app.ids.random(SECRET_BYTES));
  // Sealed before the transaction begins, because the vault may need a connection of its own.
  const secretId = app.ids.uuid();
  const sealed = await app.vault.seal(secretContext(merchantAccountId, secretId), secret);
  const rotation = {
    secret: { id: secretId, sealed },
    now,
    until: new Date(now.getTime() + overlapMinutes * 60_000),
    max: SECRET_MAX,
  };
  const input = { id: id.toLowerCase(), overlapMinutes };
  const once = { merchantAccountId, operation: 'rotateWebhookSecret', key: idempotencyKey, input, now };
  const rotated = await createOrRefuse(app.db, once, async (tx): Promise<Rotated> => {
    const endpoint = await rotateSecret(tx, merchantAccountId, id, rotation);
    if (endpoint === null) return refuse(notFound('webhook endpoint'));
    return endpoint === 'full' ? refuse(FULL) : ok(toJson(endpoint));
  });
  if (!rotated.ok) return rotated;
  const { value, replayed } = rotated.value;
  return ok({ webhookEndpoint: fromJson(value), secret: replayed ? null : secret, replayed });
}

type Rotated = Result<WebhookEndpointJson, InvalidInput | NotFound>;

const FULL = invalidInput(
  ['id'],
  `A webhook endpoint has at most ${SECRET_MAX} live secrets. Wait until one ends, or rotate with an overlap of 0.`,
);
