import {
  invalidInput,
  type IdempotencyKeyReused,
  type IdempotencyRefusal,
  type InvalidInput,
} from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { queryIn, SQLSTATE, sqlState, type Db, type Tx } from '../../platform/database/db.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { differingPaths, fingerprintOf, type Fingerprint } from './fingerprint.ts';
import { prepare, prepareFile } from '../../platform/database/statement.ts';

/** A mutation that creates a record at most once for each key. */
export type Once = {
  readonly merchantAccountId: string;
  /** The name of the mutation, for example `createPaymentService`. */
  readonly operation: string;
  /** The caller's key, 1 to 255 characters. Null or undefined: not idempotent. */
  readonly key: string | null | undefined;
  /** The canonical input, see `fingerprintOf`. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly now: Date;
};

/** The lifetime of a key in days, like the longest lifetimes of card APIs (Stripe v2, Braintree). */
export const KEY_DAYS = 30;

/** The time to wait for a running request with the same key before IDEMPOTENCY_IN_PROGRESS. */
export const KEY_WAIT_MS = 2_000;

/**
 * Refuses a key that is not 1 to 255 characters, or holds U+0000, which Postgres cannot store. Returns null for a valid
 * key.
 */
export const refuseKey = (key: string | null | undefined): InvalidInput | null =>
  key != null && (key.length < 1 || key.length > 255 || key.includes('\0'))
    ? invalidInput(['idempotencyKey'], 'Must be 1 to 255 characters.')
    : null;

/**
 * Runs `create` in one transaction with the record of its key. A repeat with the same input returns the stored result
 * and runs nothing. The result is stored as JSON text, so it must not hold a secret that is shown only once. A crash
 * before the commit leaves neither record nor key.
 */
export async function createOnce<Value>(
  db: Db,
  once: Once,
  create: (tx: Tx) => Promise<Value>,
): Promise<Result<{ readonly value: Value; readonly replayed: boolean }, IdempotencyRefusal | InvalidInput>> {
  const badKey = refuseKey(once.key);
  if (badKey) return refuse(badKey);
  const { key } = once;
  if (key == null) return ok({ value: await db.transaction(create), replayed: false });
  const fingerprint = fingerprintOf(once.input);
  try {
    return await db.transaction(async (tx) => {
      await queryIn(tx).query(limitWait({}));
      const stored = await insertKey(tx, { ...once, key }, fingerprint);
      if (stored) return answerStored<Value>(stored, fingerprint);
      const value = await create(tx);
      await storeResult(tx, { ...once, key }, JSON.stringify(value));
      await failpoint(`${once.operation}.committing`);
      return ok({ value, replayed: false });
    });
  } catch (error) {
    if (isLockTimeout(error)) return refuse({ kind: 'IdempotencyInProgress', retryAfterMs: KEY_WAIT_MS });
    throw error;
  }
}

/**
 * Returns the stored result of a key and runs nothing. Null when the key has no record. Callers use it for a repeat
 * whose input has become invalid only through time.
 */
export async function answerOnce<Value>(
  db: Db,
  { merchantAccountId, operation, key, input, now }: Once,
): Promise<Result<{ readonly value: Value; readonly replayed: boolean }, IdempotencyRefusal> | null> {
  if (key == null || refuseKey(key)) return null;
  const stored = await db.prisma.idempotencyKey.findFirst({
    where: { merchantAccountId, operation, key, expiresAt: { gt: now } },
  });
  return stored && answerStored<Value>(stored, fingerprintOf(input));
}

/**
 * Returns true if a key has a record. Callers ask before they canonicalise a request that they would refuse. Its
 * digests may need a vault key, and a refused request must not create a vault key.
 */
export async function isKeyKnown(
  db: Db,
  { merchantAccountId, operation, key, now }: Omit<Once, 'input'>,
): Promise<boolean> {
  if (key == null || refuseKey(key)) return false;
  const where = { merchantAccountId, operation, key, expiresAt: { gt: now } };
  return (await db.prisma.idempotencyKey.findFirst({ where, select: { key: true } })) !== null;
}

/** A mutation with a key. */
export type Keyed = Omit<Once, 'input' | 'key'> & { readonly key: string };

/** The record of a key. */
export type Stored = {
  readonly fingerprint: string;
  readonly digests: string;
  readonly result: string | null;
  readonly resourceId: string | null;
};

// The setting takes no parameters.
const limitWait = prepare('limit_key_wait', `SET LOCAL lock_timeout = ${KEY_WAIT_MS}`);

const insertStatement = prepareFile(import.meta, 'insert-key.sql');

/**
 * Inserts the key, and waits for a transaction that is inserting the same key. Returns the row of an earlier request,
 * or null.
 */
export async function insertKey(
  tx: Tx,
  once: Keyed,
  fingerprint: Fingerprint,
  resourceId: string | null = null,
): Promise<Stored | null> {
  const expiresAt = new Date(once.now.getTime() + KEY_DAYS * 86_400_000);
  const inserted = await queryIn(tx).query(
    insertStatement({
      account: once.merchantAccountId,
      operation: once.operation,
      key: once.key,
      fingerprint: fingerprint.whole,
      digests: JSON.stringify(fingerprint.byPath),
      resource: resourceId,
      now: once.now,
      expiresAt,
    }),
  );
  if (inserted.length === 1) return null;
  return await tx.idempotencyKey.findFirstOrThrow({
    where: { merchantAccountId: once.merchantAccountId, operation: once.operation, key: once.key },
  });
}

async function storeResult(tx: Tx, once: Keyed, result: string): Promise<void> {
  await tx.idempotencyKey.updateMany({
    where: { merchantAccountId: once.merchantAccountId, operation: once.operation, key: once.key },
    data: { result },
  });
}

function answerStored<Value>(
  stored: Stored,
  fingerprint: Fingerprint,
): Result<{ readonly value: Value; readonly replayed: boolean }, IdempotencyRefusal> {
  const reused = refuseReuse(stored, fingerprint);
  if (reused) return refuse(reused);
  if (stored.result === null) return refuse({ kind: 'IdempotencyInProgress', retryAfterMs: KEY_WAIT_MS });
  return ok({ value: JSON.parse(stored.result) as Value, replayed: true });
}

/** Refuses a key that belongs to a request with other input. */
export function refuseReuse(
  stored: Pick<Stored, 'fingerprint' | 'digests'>,
  fingerprint: Fingerprint,
): IdempotencyKeyReused | null {
  if (stored.fingerprint === fingerprint.whole) return null;
  const before = JSON.parse(stored.digests) as Fingerprint['byPath'];
  return { kind: 'IdempotencyKeyReused', differingPaths: differingPaths(before, fingerprint.byPath) };
}

/** Returns true for a lock time-out. Prisma wraps the driver's error and puts the code into the text. */
const isLockTimeout = (error: unknown): boolean =>
  sqlState(error) === SQLSTATE.lockTimeout ||
  (error instanceof Error && error.message.includes(SQLSTATE.lockTimeout));
