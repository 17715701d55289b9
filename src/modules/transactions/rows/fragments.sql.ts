import { byKey } from '../../../platform/database/statement.ts';

/**
 * Condition: operation `o`, which its id names, is still pending. Written so that no partial index fits. The index of pending
 * operations keeps an entry for every operation that was pending since its last clean-up. The id leads to the one row.
 */
export const STILL_PENDING = `o.status || '' = 'pending'`;

/** Keeps the answer of an operation `o` that ends, for the repeats of its request. The text is that of `answerOf`. */
export const ANSWER_KEPT = 'answer = CASE WHEN o.idempotency_key IS NOT NULL THEN @answer::text END';

/** Makes an expression that selects the first of the given keys which no operation has. Null without such a key. */
export const firstUnusedKey = (keys: string): string => `(
  SELECT derived.key FROM unnest(${keys}) WITH ORDINALITY AS derived (key, nth)
  WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = @account AND ${byKey('p.provider_key', 'derived.key')})
  ORDER BY derived.nth LIMIT 1)`;
