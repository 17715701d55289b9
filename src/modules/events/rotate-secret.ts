import { z } from 'zod';
import type { App, Viewer } from '../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { createOnce, refuseKey } from '../../platform/idempotency/create-once.ts';
import { parseInput } from '../../platform/validate.ts';
import type { CreatedWebhookEndpoint } from './create-endpoint.ts';
import { secretContext } from './secrets.ts';
import { SECRET_BYTES, secretText } from './sign.ts';
import { rotateSecret } from './store/secrets.ts';
import { fromJson, toJson } from './webhook-endpoint.ts';

/** Every live secret signs every request. */
const SECRET_MAX = 5;

/** A week: a delivery is retried for as long. */
const OVERLAP_MINUTES_MAX = 10_080;

const overlap = z
  .int()
  .min(0, `Must be 0 to ${OVERLAP_MINUTES_MAX}.`)
  .max(OVERLAP_MINUTES_MAX, `Must be 0 to ${OVERLAP_MINUTES_MAX}.`);

/** What is asked for. */
export type RotateWebhookSecret = {
  readonly id: string;
  /** How long the secrets before the new one go on signing; 0 ends them at once. */
  readonly overlapMinutes: number;
};

/**
 * Gives an endpoint a new signing secret, which signs from now on; those before it sign too until the overlap is over,
 * or until they end anyhow. Commits once: the secrets and the record of the idempotency key. Refuses a sixth live secret.
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
  // Sealed before the transaction begins: the vault may need a connection of its own.
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
  try {
    const rotated = await createOnce(app.db, once, async (tx) => {
      const endpoint = await rotateSecret(tx, merchantAccountId, id, rotation);
      if (endpoint === null) throw NONE;
      if (endpoint === 'full') throw FULL;
      return toJson(endpoint);
    });
    if (!rotated.ok) return rotated;
    const { value, replayed } = rotated.value;
    return ok({ webhookEndpoint: fromJson(value), secret: replayed ? null : secret, replayed });
  } catch (error) {
    if (error === NONE) return refuse(notFound('webhook endpoint'));
    if (error === FULL) return refuse(invalidInput(['id'], FULL.message));
    throw error;
  }
}

// Thrown inside the transaction, so that nothing is written and the key is not used up.
const NONE = new Error('There is no such endpoint.');
const FULL = new Error(
  `A webhook endpoint has at most ${SECRET_MAX} live secrets: wait until one ends, or rotate with an overlap of 0.`,
);
