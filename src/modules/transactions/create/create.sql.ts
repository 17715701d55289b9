import type { Db } from '../../../platform/database/db.ts';
import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import { prepare } from '../../../platform/database/statement.ts';
import {
  STORED_ROWS_LOCKED,
  STORED_ROWS_USABLE,
  insertedMethod,
  storedRowValues,
  type StoredRows,
} from '../../payment-methods/index.ts';
import type { Choice, Operation } from '../model/operation.ts';
import type { RequestedRetryPlan } from '../retry-rules/plan.ts';
import { PLAN_WRITTEN, planValues } from '../retry-plans/planned.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import type { StartedAuthentication } from '../authorize/three-d-secure/authenticate.ts';
import {
  authenticationExpressions,
  authenticationValues,
  columnsAfter,
} from '../authorize/three-d-secure/authentication.sql.ts';
import {
  KEY_EXPIRED,
  KEY_UNUSED,
  KEY_WRITTEN,
  keyValues,
  PROVIDER_KEY,
  providerKeyValues,
  type KeyRow,
} from '../claim/key.sql.ts';
import {
  redemptionExpressions,
  redemptionValues,
  type NewRedemption,
} from '../redemption/redemptions.sql.ts';
import { toColumn, toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';

/** A new payment: its transaction and its pending authorisation. */
export type NewTransaction = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly operationId: string;
  readonly choice: Choice;
  /** True to ask the provider for its own name of the payment method. */
  readonly tokenizes: boolean;
  readonly mutation: string;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly columns: NewColumns;
  /** The sealed card or token. Null when neither pays. */
  readonly sealedCard: string | null;
  /** The stored buyer and payment method, and the method to store. Null without any of them. */
  readonly storedRows: StoredRows | null;
  /** The plan of later tries. Only a payment with stored records and without an authentication or gift cards has one. */
  readonly retryPlan: RequestedRetryPlan | null;
  /** The time at which a worker looks at the plan, if this process dies before. */
  readonly lookAt: Date;
  /** The amounts that gift cards pay. */
  readonly redemptions: readonly NewRedemption[];
  /** The result of authenticating the buyer. Null without an authentication. */
  readonly authentication: StartedAuthentication | null;
  readonly environment: 'production' | 'sandbox';
};

/** The columns that take the given values. Ids and moments are written apart. */
const COLUMNS = [
  'intent',
  'amount',
  'giftCardAmount',
  'currency',
  'country',
  'externalIdentifier',
  'merchantReference',
  'paymentSource',
  'merchantInitiated',
  'isSubsequentPayment',
  'store',
  'installmentCount',
  'threeDSecureRequest',
  'routing',
  'circuits',
  'threeDSecureAmount',
  'threeDSecure',
  'approvalExpiresAt',
  'approvalUrl',
  'method',
  'instrumentType',
  'bank',
  'cardScheme',
  'cardNetwork',
  'cardBin',
  'cardLastFour',
  'cardExpirationDate',
  'cardFingerprint',
  'paymentMethodId',
  'previousSchemeTransactionId',
  'buyerId',
  'buyer',
  'shippingDetails',
  'ipAddress',
  'browserInfo',
  'cartItems',
  'orderDetails',
  'splits',
  'statementDescriptor',
  'metadata',
  'connectionOptions',
  'integrationClient',
  'redirectUrl',
  'antiFraudFingerprint',
  'antiFraudServiceId',
  'antiFraudDecision',
  'paymentLinkId',
  'paymentLinkAttemptId',
  'paymentServiceId',
] as const satisfies readonly (keyof Transaction)[];

export type NewColumns = Pick<Transaction, (typeof COLUMNS)[number]>;

/**
 * Writes a new payment in one statement and one commit. The statement writes the transaction, its pending
 * authorisation, the result of the authentication, and the idempotency key. The same commit writes the payment method
 * to store and the redemptions of gift cards, for which the authorisation waits. The transaction is processing, or
 * waits for its buyer during a challenge.
 *
 * Returns null when the key was used, or when the stored buyer or payment method is no longer usable. When two requests
 * bring one new key at once, the second fails with a unique violation and leaves nothing.
 */
export async function insertTransaction(
  db: Db,
  given: NewTransaction,
): Promise<{
  readonly transaction: Transaction;
  readonly operation: Operation;
  readonly version: string;
} | null> {
  const columns = Object.fromEntries(COLUMNS.map((field) => [toColumn(field), given.columns[field]]));
  const [row] = await db.query<{ transaction: JsonRow; operation: JsonRow; version: string }>(
    statementFor(given)({
      account: given.merchantAccountId,
      transaction: given.transactionId,
      operation: given.operationId,
      choice: given.choice,
      tokenizes: given.tokenizes,
      now: given.now,
      ...columnsAfter(given.authentication, given.leaseUntil),
      sealedCard: given.sealedCard,
      columns: JSON.stringify(columns),
      ...(given.redemptions.length > 0 && redemptionValues(given.redemptions)),
      ...(given.authentication && authenticationValues(given.authentication, given.environment)),
      ...(given.storedRows && { ...storedRowValues(given.storedRows), environment: given.environment }),
      ...(given.retryPlan && planValues(given.retryPlan, given.lookAt)),
      ...keyValues(given.mutation, given.key),
      ...providerKeyValues(given.key),
    }),
  );
  return row
    ? { ...row, transaction: toTransaction(row.transaction), operation: toOperation(row.operation) }
    : null;
}

function statementFor({ redemptions, authentication, storedRows, retryPlan }: NewTransaction) {
  if (retryPlan === null) return statementWithoutPlan({ redemptions, authentication, storedRows });
  if (!storedRows || authentication || redemptions.length > 0)
    throw new Error(
      'A retry plan needs a stored payment method, and neither gift cards nor an authentication.',
    );
  return plannedStatement;
}

type Variant = Pick<NewTransaction, 'redemptions' | 'authentication' | 'storedRows'>;

const statementWithoutPlan = ({ redemptions, authentication, storedRows }: Variant) =>
  statements[redemptions.length > 0 ? 'giftCards' : 'method'][authentication ? 'authenticated' : 'plain'][
    storedRows ? 'storedRows' : 'plain'
  ];

const NAMES = COLUMNS.map(toColumn);

/** Builds the statement. `more` holds the other writes. With `storedRows`, the statement first locks the stored rows. */
const statementOf = (name: string, more: string, { storedRows } = { storedRows: false }) =>
  prepare(
    name,
    `
  WITH ${KEY_EXPIRED},${storedRows ? `${STORED_ROWS_LOCKED},` : ''}
  made AS (
    INSERT INTO transaction (merchant_account_id, id, status, created_at, updated_at, ${NAMES.join(', ')})
    SELECT @account, @transaction::uuid, @status, @now::timestamptz, @now::timestamptz, ${NAMES.map((name) => `given.${name}`).join(', ')}
    FROM jsonb_populate_record(NULL::transaction, @columns::jsonb) AS given
    WHERE ${KEY_UNUSED}${storedRows ? ` AND ${STORED_ROWS_USABLE}` : ''}
    RETURNING *),
  started AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount, currency,
      idempotency_key, provider_key, actor, sealed_card, tokenizes, unsent, attempts, lease_until, next_attempt_at, sent_at, created_at, updated_at)
    SELECT merchant_account_id, @operation::uuid, id, payment_service_id, 'authorize', @choice, amount - gift_card_amount, currency, @key,
      ${PROVIDER_KEY}, ${ACTOR}::jsonb, @sealedCard, @tokenizes::boolean, @unsent::boolean OR gift_card_amount > 0 OR anti_fraud_service_id IS NOT NULL, @attempts::int, @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now FROM made
    RETURNING *),
  ${KEY_WRITTEN}${more}
  SELECT row_to_json(m) AS transaction, (SELECT pg_current_xact_id()::xid::text) AS version, row_to_json(o) AS operation FROM made m, started o
  WHERE ${ACTS}`,
  );

const BEGUN = `,${authenticationExpressions('made', 'started')}`;
const MADE = `,${insertedMethod('made')}`;

/** Builds the variants of a statement: with an authentication, with stored rows, with both. */
const statementsOf = (name: string, more: string) => ({
  plain: {
    plain: statementOf(name, more),
    storedRows: statementOf(`${name}_stored`, more + MADE, { storedRows: true }),
  },
  authenticated: {
    plain: statementOf(`${name}_authenticated`, more + BEGUN),
    storedRows: statementOf(`${name}_authenticated_stored`, more + BEGUN + MADE, { storedRows: true }),
  },
});

const plannedStatement = statementOf('claim_authorize_planned', `,${PLAN_WRITTEN}${MADE}`, {
  storedRows: true,
});

const statements = {
  method: statementsOf('claim_authorize', ''),
  giftCards: statementsOf('claim_authorize_gift_cards', `,${redemptionExpressions('made')}`),
} as const;
