/** The row that a claim writes for an idempotency key. */
export type KeyRow = {
  readonly key: string;
  readonly fingerprint: string;
  /** JSON object: input path -> digest. */
  readonly digests: string;
  readonly expiresAt: Date;
};

/** The values of the parameters that keyExpressions names. */
export const keyValues = (mutation: string, key: KeyRow | null) => ({
  mutation,
  key: key?.key ?? null,
  fingerprint: key?.fingerprint ?? null,
  digests: key?.digests ?? null,
  keyExpiresAt: key?.expiresAt ?? null,
});

/**
 * Parts of a statement that takes a key: `KEY_UNUSED` is a condition that is false while a live record has it,
 * `KEY_EXPIRED` deletes an expired one, and `KEY_WRITTEN` inserts it for the operation in `started`, with `keyWritten` as one
 * whose result is known already. The deletion comes first, which reading key_expired forces. Parameters: account, now, and those of keyValues.
 */
export const KEY_UNUSED = `NOT EXISTS (SELECT 1 FROM idempotency_key k WHERE k.merchant_account_id = @account
  AND k.operation = @mutation AND k.key = @key AND k.expires_at > @now)`;

export const KEY_EXPIRED = `key_expired AS (
  DELETE FROM idempotency_key k WHERE k.merchant_account_id = @account AND k.operation = @mutation AND k.key = @key
    AND k.expires_at <= @now RETURNING 1)`;

export const keyWritten = (result: string): string => `key_written AS (
  INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result, created_at,
    expires_at)
  SELECT merchant_account_id, @mutation, @key, @fingerprint::text, @digests::text, id::text, ${result}, @now,
    @keyExpiresAt::timestamptz
  FROM started WHERE @key::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)`;

export const KEY_WRITTEN = keyWritten('NULL');
