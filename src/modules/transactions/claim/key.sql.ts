import { firstUnusedKey } from '../rows/fragments.sql.ts';

/** The row that a claim writes for an idempotency key. */
export type KeyRow = {
  readonly key: string;
  readonly fingerprint: string;
  /** JSON object: input path -> digest. */
  readonly digests: string;
  readonly expiresAt: Date;
  /** The keys that the operation may have at its provider, in the order of preference. */
  readonly providerKeys: readonly string[];
};

/** Returns the values of the parameters that the key expressions name. */
export const keyValues = (mutation: string, key: KeyRow | null) => ({
  mutation,
  key: key?.key ?? null,
  fingerprint: key?.fingerprint ?? null,
  digests: key?.digests ?? null,
  keyExpiresAt: key?.expiresAt ?? null,
});

/** Returns the keys that the operation may have at its provider. Empty without an idempotency key. */
export const providerKeyValues = (key: KeyRow | null) => ({ providerKeys: key?.providerKeys ?? [] });

/** The provider's key of the operation that a claim inserts. Null when the operation's id is the key. */
export const PROVIDER_KEY = firstUnusedKey('@providerKeys::uuid[]');

/**
 * The parts of a statement that uses an idempotency key.
 * - `KEY_UNUSED`: a condition, false while a live record has the key.
 * - `KEY_EXPIRED`: deletes an expired record.
 * - `KEY_WRITTEN`: inserts the key for the operation in `started`.
 * The statement must read key_expired, so that the deletion comes first. Parameters: account, now, and those of
 * keyValues.
 */
export const KEY_UNUSED = `NOT EXISTS (SELECT 1 FROM idempotency_key k WHERE k.merchant_account_id = @account
  AND k.operation = @mutation AND k.key = @key AND k.expires_at > @now)`;

export const KEY_EXPIRED = `key_expired AS (
  DELETE FROM idempotency_key k WHERE k.merchant_account_id = @account AND k.operation = @mutation AND k.key = @key
    AND k.expires_at <= @now RETURNING 1)`;

export const KEY_WRITTEN = `key_written AS (
  INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result, created_at,
    expires_at)
  SELECT merchant_account_id, @mutation, @key, @fingerprint::text, @digests::text, id::text, NULL, @now,
    @keyExpiresAt::timestamptz
  FROM started WHERE @key::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)`;
