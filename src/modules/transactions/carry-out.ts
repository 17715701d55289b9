import type { App } from '../../app.ts';
import { callConnector, type ConnectorCall } from '../../connectors/call.ts';
import type { Card, Outcome } from '../../connectors/connector.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { connectionOf, type ConnectionRow } from '../payment-services/index.ts';
import type { Operation } from './operation.ts';
import type { Transaction } from './transaction.ts';
import { settle, type Operated } from './settle.ts';

/** A claimed operation: pending, committed, ours to call the provider for. */
export type Claim = Operated & {
  readonly connection: ConnectionRow;
  /** Needed to authorise; the security code only on the first attempt. */
  readonly card: Card | null;
};

/** Calls the provider with no transaction open, and settles with what it said. */
export async function carryOut(app: App, claim: Claim): Promise<Operated> {
  const { operation } = claim;
  await failpoint(`${operation.kind}.claimed`);
  const outcome = await call(app, claim);
  await failpoint(`${operation.kind}.called`);
  return settle(app, claim, outcome);
}

async function call(app: App, { operation, transaction, connection, card }: Claim): Promise<Outcome> {
  const { connector, credentials } = await connectionOf(app, operation.merchantAccountId, connection);
  const context = { credentials, http: app.http, deadlineMs: app.config.PAYGRAPH_PROVIDER_DEADLINE_MS };
  return callConnector(connector, context, app.log, callFor(operation, transaction, card));
}

/** The same operation always makes the same call, under the same key. */
function callFor(operation: Operation, transaction: Transaction, card: Card | null): ConnectorCall {
  const { id: key, kind, amount, currency } = operation;
  const money = { amount, currency };
  if (kind === 'authorize') {
    if (!card) throw new Error(`No card to authorise ${key} with`);
    const postalCode = transaction.buyer?.billingDetails?.address?.postalCode ?? null;
    return { verb: kind, key, money, card, capture: transaction.intent === 'capture', postalCode };
  }
  const { paymentServiceTransactionId: reference } = transaction;
  if (reference === null) throw new Error(`No reference of the payment to ${kind} ${key} with`);
  return { verb: kind, key, money, reference };
}
