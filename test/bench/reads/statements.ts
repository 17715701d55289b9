import pg from 'pg';

// Each kind of read has one hand-written statement, with the columns that the query selects.

const TEN =
  'id, status, amount, currency, country, captured_amount AS "capturedAmount", refunded_amount AS "refundedAmount", ' +
  'external_identifier AS "externalIdentifier", method, created_at AS "createdAt"';

const PAGE = 'ORDER BY t.created_at DESC, t.id DESC LIMIT $2';

const operations = (kind: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('id', o.id, 'status', o.status, 'amount', o.amount, 'createdAt', o.created_at)
     ORDER BY o.id DESC), '[]') FROM operation o
   WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id AND o.kind = '${kind}')`;

/** The latest 20 transactions of another record. */
const transactionsOf = (column: string, owner: string): string =>
  `(SELECT coalesce(json_agg(t), '[]') FROM (SELECT ${TEN} FROM transaction t
     WHERE t.merchant_account_id = $1 AND t.${column} = ${owner}.id ORDER BY t.created_at DESC, t.id DESC LIMIT 20) t) AS transactions`;

export const STATEMENTS = {
  list: `SELECT ${TEN} FROM transaction t WHERE merchant_account_id = $1 ${PAGE}`,
  filtered: `SELECT ${TEN} FROM transaction t WHERE merchant_account_id = $1 AND currency = $3
    AND status = 'authorization_declined' ${PAGE}`,
  search: `SELECT ${TEN} FROM transaction t WHERE merchant_account_id = $1 AND id IN (
      SELECT x.transaction_id FROM transaction_term x
      WHERE x.merchant_account_id = $1 AND x.term >= search_term($3) AND x.term < search_term($3) || chr(1114111)) ${PAGE}`,
  one: `SELECT ${TEN} FROM transaction t WHERE merchant_account_id = $1 AND id = $2`,
  nested: `SELECT t.id, t.status, t.amount, json_build_object('id', s.id, 'displayName', s.display_name) AS "paymentService",
      ${operations('capture')} AS captures, ${operations('refund')} AS refunds
    FROM (SELECT * FROM transaction t WHERE t.merchant_account_id = $1 ${PAGE}) t
    JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
    ORDER BY t.created_at DESC, t.id DESC`,
  buyers: `SELECT b.id, b.display_name AS "displayName", ${transactionsOf('buyer_id', 'b')}
    FROM buyer b WHERE b.merchant_account_id = $1 ORDER BY b.id DESC LIMIT $2`,
  services: `SELECT s.id, s.display_name AS "displayName", ${transactionsOf('payment_service_id', 's')}
    FROM payment_service s WHERE s.merchant_account_id = $1 ORDER BY s.id DESC LIMIT $2`,
  report: `SELECT starts_at AS "startsAt", currency, authorized_count AS "authorizedCount", authorized_amount AS "authorizedAmount",
      captured_count AS "capturedCount", captured_amount AS "capturedAmount", refunded_count AS "refundedCount",
      refunded_amount AS "refundedAmount"
    FROM report_bucket WHERE merchant_account_id = $1 AND dimension = 'all' AND value = '' AND grain = 'day'
      AND starts_at >= $2 AND starts_at < $3 ORDER BY starts_at, currency`,
} as const;

/** The variables of a request. */
export type Variables = {
  readonly first: number;
  readonly account: string;
  readonly currency: string;
  readonly search: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
};

/** The name under which Postgres shows a side's connections. */
export const applicationOf = (side: string): string => `bench-${side}`;

/** Opens the connections of a peer. They last as long as the process, also while other sides take their turns. */
export const openPool = (url: string, side: string): pg.Pool =>
  new pg.Pool({ connectionString: url, max: 8, idleTimeoutMillis: 0, application_name: applicationOf(side) });

type Name = keyof typeof STATEMENTS;

/** The kinds that answer a list. */
export type Listed = Exclude<Name, 'one' | 'buyers' | 'services' | 'report'>;

const PARAMETERS: Readonly<Record<Name, (given: Variables) => readonly unknown[]>> = {
  list: ({ account, first }) => [account, first],
  nested: ({ account, first }) => [account, first],
  filtered: ({ account, first, currency }) => [account, first, currency],
  search: ({ account, first, search }) => [account, first, search],
  one: ({ account, id }) => [account, id],
  buyers: ({ account, first }) => [account, first],
  services: ({ account, first }) => [account, first],
  report: ({ account, from, to }) => [account, from, to],
};

/** Runs the statement of a kind, prepared once on each connection. */
export async function ask(pool: pg.Pool, name: Name, given: Variables): Promise<readonly unknown[]> {
  const values = [...PARAMETERS[name](given)];
  const { rows } = await pool.query<Readonly<Record<string, unknown>>>({
    name,
    text: STATEMENTS[name],
    values,
  });
  return rows;
}
