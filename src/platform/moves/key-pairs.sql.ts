const PAIR = 'id, display_name, thumbprint, algorithm, public_key, scopes';
/** The time of the last use stays behind, so a second export has the same rows. */
const STATE = 'active, expires_at, tokens_not_before, created_at, updated_at';

/** The key pairs that may sign for the account `$1` by name, with that account alone. */
export const KEY_PAIRS = `SELECT row_to_json(r)::text AS row FROM (
  SELECT ${PAIR}, ARRAY[$1::text] AS merchant_account_ids, ${STATE}
  FROM api_key_pair WHERE $1 = ANY (merchant_account_ids)) r`;

/** The same rows from a file, an array of JSON in `$1`. */
export const READ_KEY_PAIRS = `SELECT row_to_json(r)::text AS row FROM (
  SELECT ${PAIR}, merchant_account_ids, ${STATE}
  FROM json_populate_recordset(NULL::api_key_pair, $1)) r`;

/**
 * Inserts key pairs, an array of JSON in `$1`, for the account `$2` alone. A key pair that signs for other accounts here keeps
 * its state, and reaches one account more. A key pair that the source has ended reaches none.
 */
export const ADD_KEY_PAIRS = `INSERT INTO api_key_pair AS k (${PAIR}, merchant_account_ids, ${STATE})
  SELECT ${PAIR}, ARRAY[$2::text], ${STATE} FROM json_populate_recordset(NULL::api_key_pair, $1)
  ON CONFLICT (thumbprint) DO UPDATE SET merchant_account_ids = k.merchant_account_ids || excluded.merchant_account_ids
  WHERE k.merchant_account_ids <> '{}' AND NOT k.merchant_account_ids @> excluded.merchant_account_ids
    AND (excluded.active OR NOT k.active)`;

/** Removes the key pairs that sign for the account `$1` alone. Without an account, they would sign for all. */
export const REMOVE_KEY_PAIRS = `DELETE FROM api_key_pair
  WHERE $1 = ANY (merchant_account_ids) AND array_remove(merchant_account_ids, $1) = '{}'`;

/** Takes the account `$1` from the key pairs that sign for others, too. */
export const NARROW_KEY_PAIRS = `UPDATE api_key_pair SET merchant_account_ids = array_remove(merchant_account_ids, $1)
  WHERE $1 = ANY (merchant_account_ids)`;
