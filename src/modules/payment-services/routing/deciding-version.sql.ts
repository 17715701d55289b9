/** The merchant account that a payment pays, and where the merchant may have named rules of its own. */
export type Payee = {
  readonly merchantAccountId: string;
  /** The key of the caller. Left out for the page of a payment link. A session of a person has no rules. */
  readonly apiKeyPairId?: string;
  /** The version that the payment link names. It comes before the rules of the key and the account. */
  readonly routingVersionId?: string | null;
};

/** Makes the select of the version that an activation lets decide at @now. The condition tells whose activation `r` is. */
const activeVersion = (whose: string): string =>
  `SELECT r.version_id FROM routing_activation r
   WHERE r.merchant_account_id = @account AND ${whose} AND r.active_from <= greatest(@now::timestamptz, r.created_at)
     AND r.canceled_at IS NULL
   ORDER BY r.active_from DESC, r.id DESC LIMIT 1`;

/** The version that decides about a payment. The link's @named comes first, then that of @key, then that of @account. */
export const DECIDING_VERSION = `coalesce(@named::uuid, (${activeVersion('r.api_key_pair_id = @key::uuid')}),
  (${activeVersion('r.api_key_pair_id IS NULL')}))`;
