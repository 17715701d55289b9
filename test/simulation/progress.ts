import { MERCHANTS } from './harness.ts';
import type { Lane } from './lane.ts';

/** An operation without an end. */
export type Pending = {
  readonly merchant: string;
  readonly id: string;
  readonly provider_key: string | null;
  readonly kind: string;
  readonly transaction_id: string;
  /** True while the provider has not been called. */
  readonly unsent: boolean;
  readonly payment_service_id: string;
  readonly created_at: Date;
  /** Null when no further look-up is planned. */
  readonly next_attempt_at: Date | null;
  /** The end of the provider's time to decide. Null for an operation that the provider has not accepted, or of unknown outcome. */
  readonly decision_until: Date | null;
};

export type Progress = {
  /** Pending operations of every history. */
  readonly pending: readonly Pending[];
  /** The number of pages that wait for their buyers. */
  readonly awaited: number;
  /** The number of waiting notices, without those that wait for an operation. */
  readonly parked: number;
  /** The number of payments that webhooks named, and that nobody has got an answer about. */
  readonly noted: number;
  /** The number of responses to disputes without a clear answer. */
  readonly responses: number;
  /** The used keys, as merchant account, mutation and key. */
  readonly used: readonly string[];
};

const ACCOUNTS = MERCHANTS.map(({ id }) => id);

/** Reads the work that is left. */
export async function readProgress({ judge }: Lane, keys: readonly string[]): Promise<Progress> {
  const [row] = await judge.query<Progress>({
    name: 'simulation_progress',
    text: `
      SELECT (SELECT coalesce(json_agg(json_build_object('merchant', merchant_account_id, 'id', id, 'provider_key', provider_key, 'kind', kind,
            'transaction_id', transaction_id, 'unsent', unsent,
            'payment_service_id', payment_service_id, 'created_at', created_at, 'next_attempt_at', next_attempt_at,
            'decision_until', CASE WHEN unknown_at IS NULL THEN decision_until END)
            ORDER BY id), '[]') FROM operation WHERE status = 'pending') AS pending,
        (SELECT count(*)::int FROM approval a JOIN operation o
           ON o.merchant_account_id = a.merchant_account_id AND o.id = a.operation_id
         WHERE a.state = 'pending' AND o.status = 'pending') AS awaited,
        (SELECT count(*)::int FROM inbound_review r WHERE r.state = 'parked' AND NOT EXISTS (
           SELECT FROM operation o WHERE o.merchant_account_id = r.merchant_account_id AND o.transaction_id = r.check_key
             AND o.status = 'pending'))
           + (SELECT count(*)::int FROM inbound_webhook w WHERE w.state = 'parked' AND NOT EXISTS (
             SELECT FROM operation o WHERE o.merchant_account_id = w.merchant_account_id
               AND o.payment_service_id = w.payment_service_id AND o.status = 'pending')) AS parked,
        (SELECT count(*)::int FROM reported_payment) AS noted,
        (SELECT count(*)::int FROM dispute_response WHERE status = 'pending') AS responses,
        ARRAY(SELECT merchant_account_id || ' ' || operation || ' ' || key FROM idempotency_key
              WHERE merchant_account_id = ANY ($1) AND (operation LIKE '%Transaction' OR operation = 'resolveReview') AND key = ANY ($2)) AS used`,
    values: [ACCOUNTS, keys],
  });
  if (!row) throw new Error('The database returned no row');
  const moment = (text: Date | string | null): Date | null => (text === null ? null : new Date(text));
  const pending = row.pending.map((one) => ({
    ...one,
    created_at: new Date(one.created_at),
    next_attempt_at: moment(one.next_attempt_at),
    decision_until: moment(one.decision_until),
  }));
  return { ...row, pending };
}
