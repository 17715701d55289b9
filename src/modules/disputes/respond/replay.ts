import type { App } from '../../../app.ts';
import type { Evidence } from '../../../connectors/interface/dispute-responses.ts';
import type { IdempotencyRefusal } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import {
  findKey,
  fingerprintOf,
  KEY_WAIT_MS,
  providerKeysOf,
  refuseReuse,
  settleKey,
  type KeyedRequest,
} from '../../idempotency/index.ts';
import type { Dispute } from '../dispute.ts';
import { findDispute } from '../store.ts';
import { MUTATION_OF, type DisputeResponse, type Responded } from './response.ts';
import { findResponse } from './response.sql.ts';

/** The answer to a response. `replayed` says that the key's record gave the answer, without any call. */
export type Answered = Responded & { readonly replayed: boolean };

/** The caller's key, and the keys that the response may have at its provider, in the order of preference. */
export type ResponseKey = KeyedRequest & { readonly providerKeys: readonly string[] };

type Keyed = Pick<DisputeResponse, 'kind'> & {
  readonly evidence: Evidence | null;
  readonly idempotencyKey: string | null | undefined;
};

/** Makes the record of a key, or returns null without a key. The record holds keyed digests of the evidence. */
export async function keyOf(
  app: App,
  { merchantAccountId, id }: Pick<Dispute, 'merchantAccountId' | 'id'>,
  { kind, evidence, idempotencyKey: key }: Keyed,
): Promise<ResponseKey | null> {
  if (key == null) return null;
  const digest = (text: string) => app.vault.fingerprint(merchantAccountId, `evidence ${text}`);
  const input = evidence && {
    texts: await Promise.all(
      evidence.texts.map(async ({ text, ...each }) => ({ ...each, text: await digest(text) })),
    ),
    files: await Promise.all(
      evidence.files.map(async ({ content, name, ...each }) => ({
        ...{ ...each, name: await digest(name), content: await digest(content) },
      })),
    ),
  };
  const operation = MUTATION_OF[kind];
  return {
    ...{ merchantAccountId, operation, key, now: app.clock.now(), fingerprint: fingerprintOf({ id, input }) },
    providerKeys: await providerKeysOf(app, { merchantAccountId, mutation: operation, key, part: '' }),
  };
}

/** The pause between two looks at a running response. */
const LOOK_MS = 50;

/**
 * Answers a used key from its record. Returns the stored result, or the pending response when its outcome is unknown.
 * Waits up to 2 s for a call under way.
 */
export async function replay(app: App, key: ResponseKey): Promise<Result<Answered, IdempotencyRefusal>> {
  const inProgress = refuse({ kind: 'IdempotencyInProgress', retryAfterMs: KEY_WAIT_MS } as const);
  const giveUpAt = app.clock.now().getTime() + KEY_WAIT_MS;
  for (;;) {
    const stored = await findKey(app.db, key);
    if (!stored?.resourceId) return inProgress;
    const reused = refuseReuse(stored, key.fingerprint);
    if (reused) return refuse(reused);
    if (stored.result !== null) return ok({ ...fromJson(stored.result), replayed: true });
    const current = await read(app, key, stored.resourceId);
    const now = app.clock.now();
    if (isLeftAlone(current.response, now)) return ok({ ...current, replayed: true });
    if (now.getTime() >= giveUpAt) return inProgress;
    await app.clock.sleep(LOOK_MS);
  }
}

async function read(app: App, { merchantAccountId }: ResponseKey, id: string): Promise<Responded> {
  const response = await findResponse(app.db, { merchantAccountId, id });
  const dispute = response && (await findDispute(app.db, merchantAccountId, response.disputeId));
  if (!dispute) throw new Error(`The response ${id} is gone`);
  return { dispute, response };
}

/** True for a response without an outcome whose first request has ended. The responder goes on with the response. */
const isLeftAlone = ({ status, unclearAt, acceptedAt, nextAttemptAt }: DisputeResponse, now: Date): boolean =>
  status === 'pending' &&
  (unclearAt !== null || acceptedAt !== null || (nextAttemptAt !== null && nextAttemptAt <= now));

/** Stores the outcome of a response with its key, in the transaction of the outcome. */
export async function storeAnswer(tx: Tx, { dispute, response }: Responded): Promise<void> {
  const { merchantAccountId, id: resourceId, idempotencyKey: key, kind } = response;
  if (key === null) return;
  const name = { merchantAccountId, operation: MUTATION_OF[kind], key, resourceId };
  await settleKey(tx, name, JSON.stringify({ dispute, response }));
}

const MOMENTS: ReadonlySet<string> = new Set([
  ...(['createdAt', 'updatedAt', 'reportedAt', 'respondBy'] satisfies (keyof Dispute)[]),
  ...(['settledAt', 'nextAttemptAt', 'unclearAt', 'acceptedAt'] satisfies (keyof DisputeResponse)[]),
]);

/** The record holds no other form. */
const fromJson = (text: string): Responded =>
  JSON.parse(text, (name, value: unknown) =>
    MOMENTS.has(name) && typeof value === 'string' ? new Date(value) : value,
  ) as Responded;
