import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import {
  KEY_DAYS,
  KEY_WAIT_MS,
  differingPaths,
  providerKeysOf,
  type Fingerprint,
} from '../../idempotency/index.ts';
import type { KeyRow } from './key.sql.ts';
import { parseResult, readKey, readOperation, type StoredKey } from '../rows/read.sql.ts';
import type { Operated } from '../model/operation.ts';

/** The idempotency key of a money mutation, the name of its mutation, and the digest of the request. */
export type MoneyKey = { readonly mutation: string; readonly key: string; readonly fingerprint: Fingerprint };

/**
 * Returns the row that a claim writes for a key. `part` tells the operations of one mutation
 * apart. Each has a key of its own at the provider.
 */
export const keyRow = async (
  app: Pick<App, 'vault'>,
  merchantAccountId: string,
  { mutation, key, fingerprint }: MoneyKey,
  { now, part = '' }: { readonly now: Date; readonly part?: string },
): Promise<KeyRow> => ({
  key,
  fingerprint: fingerprint.whole,
  digests: JSON.stringify(fingerprint.byPath),
  expiresAt: new Date(now.getTime() + KEY_DAYS * 86_400_000),
  providerKeys: await providerKeysOf(app, { merchantAccountId, mutation, key, part }),
});

/** The pause between two looks at a running operation. */
const LOOK_MS = 50;

/**
 * Answers a used key from its record. Returns the stored result, or the current operation when its outcome is unknown.
 * Null when the key is new. Waits up to 2 s for a call under way. A caller that has read the key passes the record on as
 * `known`.
 */
export async function replay(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  requested: MoneyKey,
  known?: StoredKey,
): Promise<Result<Operated, IdempotencyRefusal> | null> {
  const giveUpAt = app.clock.now().getTime() + KEY_WAIT_MS;
  const read = (): Promise<StoredKey | null> =>
    readKey(app.db, viewer.merchantAccountId, requested.mutation, requested.key, app.clock.now());
  for (let stored = known ?? (await read()); ; stored = await read()) {
    if (!stored) return null;
    if (stored.fingerprint !== requested.fingerprint.whole)
      return refuse(reused(stored, requested.fingerprint));
    if (stored.result !== null) return ok(parseResult(stored.result));
    const now = app.clock.now().getTime();
    if (stored.leaseUntil === null || stored.leaseUntil.getTime() <= now)
      return unresolved(app, viewer, requested, stored);
    if (now >= giveUpAt) {
      return stored.isUnknown
        ? unresolved(app, viewer, requested, stored)
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
  requested: MoneyKey,
  { resourceId }: StoredKey,
): Promise<Result<Operated, never>> {
  const { merchantAccountId } = viewer;
  const found = await readOperation(app.db, merchantAccountId, resourceId);
  if (!found) throw new Error(`Operation ${resourceId} is gone`);
  if (found.operation.status === 'pending') return ok(found);
  // The operation has ended since the record was read. The transaction may have changed again, but the record never
  // does.
  const settled = await readKey(
    app.db,
    merchantAccountId,
    requested.mutation,
    requested.key,
    app.clock.now(),
  );
  if (settled?.result) return ok(parseResult(settled.result));
  // The service refused, and the payment went on to the next one. The key then leads to the next authorisation.
  const goneOn = settled && settled.resourceId !== resourceId;
  return goneOn ? unresolved(app, viewer, requested, settled) : ok(found);
}

/** The answer of a money mutation. `replayed` says that the key's record gave the answer, without any call. */
export type Answer = Operated & { readonly replayed: boolean };
