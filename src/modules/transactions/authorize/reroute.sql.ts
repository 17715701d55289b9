import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { CircuitDecision } from '../../payment-services/index.ts';
import type { RoutingDecision } from '../../routing/index.ts';
import type { Choice, Operation } from '../model/operation.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { StartedAuthentication } from './three-d-secure/authenticate.ts';
import { authenticationValues, columnsAfter } from './three-d-secure/authentication.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { HistoryChange } from '../settle/changes.ts';
import { contextText } from '../settle/event-text.ts';

export type Reroute = {
  /** The authorisation with a sure refusal. */
  readonly operation: Operation;
  readonly outcome: Extract<FinalOutcome, { readonly kind: 'declined' | 'failed' }>;
  readonly mutation: string;
  readonly history: HistoryChange;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
  readonly next: {
    readonly operationId: string;
    readonly paymentServiceId: string;
    /** The keys that the operation may have at the next service. Empty without an idempotency key. */
    readonly providerKeys: readonly string[];
    /** The decisions of the merchant's own rules, with the one about this attempt. Null without rules. */
    readonly routing: RoutingDecision | null;
    /** The effect of circuits, with the one on this attempt. Null without one. */
    readonly circuits: CircuitDecision | null;
    readonly choice: Choice;
    /** True to ask the next provider for its own name of the payment method. */
    readonly tokenizes: boolean;
    /** The sealed card. Null when no card pays. */
    readonly sealedCard: string | null;
    readonly leaseUntil: Date;
    /** The end of the buyer's time to approve at the next service. Null when the service waits for no buyer. */
    readonly approvalExpiresAt: Date | null;
    /** The authentication for the next service. Null when the service needs none. */
    readonly authentication: StartedAuthentication | null;
  };
};

/** The authorisation at the next service, its transaction, and the transaction's version. */
export type Rerouted = {
  readonly operation: Operation;
  readonly transaction: Transaction;
  readonly version: string;
};

/**
 * Ends a refused authorisation and starts one at the next service, in one commit. The new operation has an id of its
 * own, and the idempotency key now leads to it. The transaction stays processing, or waits for a challenged buyer.
 * Returns null when another process claimed or ended the old authorisation, or a cancel is under way. Nothing is
 * written then, and no provider may be called. A delayed authorisation stays delayed.
 */
export async function rerouteAuthorization(db: Db, reroute: Reroute): Promise<Rerouted | null> {
  const { operation, outcome, next } = reroute;
  const [row] = await db.query<{ operation: JsonRow; transaction: JsonRow; version: string }>(
    statements[next.authentication ? 'authenticated' : 'plain']({
      account: operation.merchantAccountId,
      transaction: operation.transactionId,
      operation: operation.id,
      outcome: outcome.kind,
      reference: outcome.reference,
      errorCode: outcome.errorCode,
      rawResponseCode: outcome.rawResponseCode,
      rawResponseDescription: outcome.rawResponseDescription,
      authResponseCode: outcome.authResponseCode ?? null,
      networkResponseCode: outcome.networkResponseCode ?? null,
      merchantAdviceCode: outcome.merchantAdviceCode ?? null,
      historyId: reroute.history.id,
      historyName: reroute.history.name,
      historyContext: contextText(reroute.history),
      mutation: reroute.mutation,
      now: reroute.now,
      nextOperation: next.operationId,
      service: next.paymentServiceId,
      providerKeys: next.providerKeys,
      routing: next.routing && JSON.stringify(next.routing),
      circuits: next.circuits && JSON.stringify(next.circuits),
      choice: next.choice,
      tokenizes: next.tokenizes,
      sealedCard: next.sealedCard,
      ...columnsAfter(next.authentication, next.leaseUntil),
      approvalExpiresAt: next.authentication?.challenge?.expiresAt ?? next.approvalExpiresAt,
      approvalUrl: next.authentication?.challenge?.url ?? null,
      threeDSecure: next.authentication && JSON.stringify(next.authentication.threeDSecure),
      ...(next.authentication && authenticationValues(next.authentication, reroute.environment)),
    }),
  );
  return row
    ? { ...row, operation: toOperation(row.operation), transaction: toTransaction(row.transaction) }
    : null;
}

const statements = {
  plain: prepareFile(import.meta, 'reroute-authorization.sql'),
  authenticated: prepareFile(import.meta, 'reroute-authorization-authenticated.sql'),
} as const;
