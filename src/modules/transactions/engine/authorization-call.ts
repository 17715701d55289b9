import type { App } from '../../../app.ts';
import type { ConnectorCall } from '../../../connectors/call.ts';
import type { Definition } from '../../../connectors/definition.ts';
import type { AuthorizeRequest } from '../../../connectors/requests.ts';
import { approvalPageOf } from '../awaiting/approval-page.ts';
import { dataToHand } from '../model/three-d-secure.ts';
import { isSale, type Transaction } from '../model/transaction.ts';
import type { AuthorizationClaim } from './claim.ts';

/** Builds the call of an authorisation. The same operation always makes the same call, under the same key. */
export async function authorizationCall(
  app: App,
  { operation, transaction, card, token, connection }: AuthorizationClaim,
  definition: Definition,
): Promise<ConnectorCall> {
  const { id: key, amount, currency } = operation;
  const { instrumentType, installmentCount, integrationClient, statementDescriptor } = transaction;
  return {
    verb: 'authorize',
    key,
    money: { amount, currency },
    card: token === null && instrumentType === 'pan' ? required(card, key) : null,
    token: instrumentType === 'redirect_token' ? required(token, key) : token,
    approvalPage: await approvalPageOf(app, operation, definition),
    series: seriesOf(transaction),
    capture: isSale(transaction),
    installmentCount,
    statementDescriptor,
    postalCode: transaction.buyer?.billingDetails?.address?.postalCode ?? null,
    threeDSecure: dataToHand(transaction.threeDSecure),
    options: transaction.connectionOptions?.[connection.definitionId] ?? null,
    integrationClient,
  };
}

const seriesOf = (transaction: Transaction): AuthorizeRequest['series'] => ({
  store: transaction.store,
  source: transaction.paymentSource,
  merchantInitiated: transaction.merchantInitiated,
  isSubsequentPayment: transaction.isSubsequentPayment,
  schemeTransactionId: transaction.previousSchemeTransactionId,
});

function required<Value>(value: Value | null, operationId: string): Value {
  if (value === null) throw new Error(`Authorisation ${operationId} lacks its means to pay`);
  return value;
}
