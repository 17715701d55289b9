import { failpoint } from '../../failpoint.ts';
import { OperatorError } from '../../operator-error.ts';
import { createDataKey, rewrapDataKey } from '../data-keys.ts';
import { reseal } from './reseal.ts';
import type { Rotation } from './rotation.ts';
import {
  beginRotation,
  countForeignKeys,
  countFormer,
  countUnrotated,
  endRotation,
  findForeignKeys,
  findRotation,
  findUnrotated,
  replaceWrapped,
  retireUnused,
  START,
  type Position,
} from './rotation-store.ts';
import { insertDataKey } from '../store.ts';

/** The result of a rotation, or with `dryRun` the expected result. */
export type Rotated = {
  readonly rewrapped: number;
  readonly renewed: number;
  readonly resealed: number;
  readonly retired: number;
  /** Values that no key opens, as `table.column id`. These values and their keys stay unchanged. */
  readonly unreadable: readonly string[];
  /** The number of values that others had locked all the time. */
  readonly left: number;
};

/**
 * Rotates keys while servers run. Each step commits by itself and skips work that is done:
 *
 * 1. Wraps every data key with the current key-encryption key.
 * 2. Creates a new version of each merchant account's data key.
 * 3. Seals every value again with the new version.
 * 4. Retires the versions that no value names.
 *
 * Retired versions stay in the database, wrapped. Only a rotation opens them. The next rotation saves a value that a
 * stalled server sealed too late. A deleted key could not be restored.
 *
 * After a crash the next start continues the same rotation, so that no second version is created. Refuses to run twice
 * at once.
 */
export async function rotateKeys(rotation: Rotation): Promise<Rotated> {
  const { db, dryRun } = rotation;
  const lock = await db.connect();
  try {
    const { rows } = await lock.query<{ free: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('paygraph key rotation')) AS free",
    );
    if (!rows[0]?.free) throw new OperatorError('Another rotation of keys is under way.');
    return dryRun ? await rehearse(rotation) : await perform(rotation);
  } finally {
    // The lock is released at once. A broken connection has already lost it. The connection is not used again.
    await lock.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    lock.release(true);
  }
}

async function perform(rotation: Rotation): Promise<Rotated> {
  const { db, ids, clock, say } = rotation;
  const id = ids.uuid();
  const rotationId = await beginRotation(db, id, clock.now());
  say(rotationId === id ? `Rotation ${id} starts.` : `Rotation ${rotationId} continues.`);
  await failpoint('rotation.begun');
  const rewrapped = await rewrapAll(rotation);
  const renewed = await renewAll(rotation, rotationId);
  const renewedAt = performance.now();
  const first = await reseal(rotation);
  await waitForServers(rotation, performance.now() - renewedAt);
  // Servers have meanwhile created first keys, which an older server wraps with the former key, and late values.
  const rewrappedLate = await rewrapAll(rotation);
  const late = await reseal(rotation);
  await failpoint('rotation.resealed');
  const retired = await retireUnused(db, clock.now());
  say(`Data keys retired: ${retired}.`);
  await failpoint('rotation.retired');
  await endRotation(db);
  return {
    rewrapped: rewrapped + rewrappedLate,
    renewed,
    resealed: first.resealed + late.resealed,
    retired,
    unreadable: late.unreadable,
    left: late.left,
  };
}

/** Opens every data key and every value, and reports the work of a rotation. */
async function rehearse(rotation: Rotation): Promise<Rotated> {
  const { db, keys, say } = rotation;
  const foreign = await countForeignKeys(db, await keys.currentKeyId());
  say(`Data keys to be wrapped again: ${foreign}.`);
  const renewed = await countUnrotated(db, await findRotation(db));
  say(`Merchant accounts to be given a new data key: ${renewed}.`);
  const { resealed, unreadable, left } = await reseal(rotation);
  const retired = renewed + (await countFormer(db));
  say(`Data keys to be retired, if every value opens: ${retired}.`);
  return { rewrapped: foreign, renewed, resealed, retired, unreadable, left };
}

/** The most concurrent calls of a key service. */
const WRAP_AT_ONCE = 16;

async function rewrapAll({ db, keys, say }: Rotation): Promise<number> {
  const keyId = await keys.currentKeyId();
  const total = await countForeignKeys(db, keyId);
  let done = 0;
  for (let after: Position = START; ;) {
    const rows = await findForeignKeys(db, keyId, after, WRAP_AT_ONCE);
    const last = rows.at(-1);
    if (!last) break;
    await Promise.all(rows.map(async (row) => replaceWrapped(db, row, await rewrapDataKey(keys, row))));
    await failpoint('rotation.rewrapped');
    done += rows.length;
    after = [last.merchantAccountId, last.id];
  }
  say(`Data keys wrapped by ${keyId}: ${done} of ${total}.`);
  return done;
}

async function renewAll(rotation: Rotation, rotationId: string): Promise<number> {
  const { db, clock, say } = rotation;
  const total = await countUnrotated(db, rotationId);
  let done = 0;
  for (;;) {
    const rows = await findUnrotated(db, rotationId, WRAP_AT_ONCE);
    if (rows.length === 0) break;
    await Promise.all(
      rows.map(async ({ merchantAccountId, purpose, version }) => {
        const created = await createDataKey(rotation, { merchantAccountId, purpose, version: version + 1 });
        await insertDataKey(db, created, { rotationId, createdAt: clock.now() });
      }),
    );
    await failpoint('rotation.renewed');
    done += rows.length;
  }
  say(`New data keys: ${done} of ${total} merchant accounts.`);
  return done;
}

/**
 * Waits until every server seals with the new versions, and older writes are committed. Skips the wait when nothing is
 * to be retired.
 */
async function waitForServers({ db, clock, waitMs, say }: Rotation, passedMs: number): Promise<void> {
  const leftMs = waitMs - passedMs;
  if (leftMs <= 0 || (await countFormer(db)) === 0) return;
  say(`Waiting ${Math.ceil(leftMs / 1_000)} s, until every server seals by the new data keys.`);
  await clock.sleep(leftMs);
}
