import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { KEY_DAYS, KEY_WAIT_MS, differingPaths, type Fingerprint } from '../../idempotency/index.ts';
import type { KeyRow } from './key.sql.ts';
import { parseResult, readKey, readOperation, type StoredKey } from '../model/read.sql.ts';
import type { Operated } from '../model/operation.ts';

/** The idempotency key of a money mutation, the name of its mutation, and the digest of the request. */
export type MoneyKey = { readonly mutation: string; readonly key: string; readonly fingerprint: Fingerprint };

/** The row that a claim writes for a key. */
export const keyRow = ({ key, fingerprint }: MoneyKey, now: Date): KeyRow => ({
  key,
  fingerprint: fingerprint.whole,
  digests: JSON.stringify(fingerprint.byPath),
  expiresAt: new Date(now.getTime() + KEY_DAYS * 86_400_000),
});

/** The pause between two looks at a running operation. */
const LOOK_MS = 50;

/**
 * Answers a used key from its record. Returns the stored result, or the current operation when its outcome is unknown.
 * Null when the key is new. Waits up to 2 s for a call under way.
 */
export async function replay(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  asked: MoneyKey,
): Promise<Result<Operated, IdempotencyRefusal> | null> {
  const giveUpAt = app.clock.now().getTime() + KEY_WAIT_MS;
  for (;;) {
    const stored = await readKey(
      app.db,
      viewer.merchantAccountId,
      asked.mutation,
      asked.key,
      app.clock.now(),
    );
    if (!stored) return null;
    if (stored.fingerprint !== asked.fingerprint.whole) return refuse(reused(stored, asked.fingerprint));
    if (stored.result !== null) return ok(parseResult(stored.result));
    const now = app.clock.now().getTime();
    if (stored.leaseUntil === null || stored.leaseUntil.getTime() <= now)
      return unresolved(app, viewer, asked, stored);
    if (now >= giveUpAt) {
      return stored.isInDoubt
        ? unresolved(app, viewer, asked, stored)
        : refuse({ kind: 'IdempotencyInProgress', retryAfterMs: KEY_WAIT_MS });
    }
    await app.clock.sleep(LOOK_MS);
  }
}

const reused = (stored: StoredKey, fingerprint: Fingerprint): IdempotencyRefusal => ({
  kind: 'IdempotencyKeyReused',
  differingPaths: differingPaths(JSON.parse(stored.digests) as Fingerprint['byPath'], fingerprint.byPath),
});

async function unresolved(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  asked: MoneyKey,
  { resourceId }: StoredKey,
): Promise<Result<Operated, never>> {
  const { merchantAccountId } = viewer;
  const found = await readOperation(app.db, merchantAccountId, resourceId);
  if (!found) throw new Error(`Operation ${resourceId} is gone`);
  if (found.operation.status === 'pending') return ok(found);
  // The operation has ended since the record was read. The transaction may have changed again, but the record never
  // does.
  const settled = await readKey(app.db, merchantAccountId, asked.mutation, asked.key, app.clock.now());
  if (settled?.result) return ok(parseResult(settled.result));
  // The service refused, and the payment went on to the next one. The key then leads to the next authorisation.
  const goneOn = settled && settled.resourceId !== resourceId;
  return goneOn ? unresolved(app, viewer, asked, settled) : ok(found);
}

/** The answer of a money mutation. `replayed` says that the key's record gave the answer, without any call. */
export type Answer = Operated & { readonly replayed: boolean };
