import type { App } from '../../../app.ts';
import type { ConnectorCall } from '../../../connectors/calls/call.ts';
import { omitsOrder } from '../../../connectors/buyer/omit-order.ts';
import type { CallContext } from '../../../connectors/interface/call-context.ts';
import type { AuthorizeRequest } from '../../../connectors/interface/requests.ts';
import type { Means } from '../instrument/sealed-means.ts';
import type { Terms } from '../instrument/terms.ts';
import { approvalPageOf } from '../awaiting/approval-page.ts';
import { notifyUrlOf } from '../awaiting/notify-url.ts';
import { returnUrlOf } from '../awaiting/return-url.ts';
import { buyerFacts } from './buyer-facts.ts';
import { orderOf } from './order.ts';
import { wholeShares } from '../model/splits.ts';
import { dataToHand } from '../model/three-d-secure.ts';
import type { Operation } from '../model/operation.ts';
import { isSale, type Transaction } from '../model/transaction.ts';
import type { AuthorizationClaim } from '../claim/claim.ts';
import { providerKeyOf } from '../model/provider-keys.ts';

/**
 * Builds the call of an authorisation. The same operation always makes the same call, under the same key. Only a change of the field
 * `omit_order` meanwhile changes the call.
 */
export async function authorizationCall(
  app: App,
  { operation, transaction, connection, terms, ...means }: AuthorizationClaim,
  context: Pick<CallContext, 'definition' | 'credentials'>,
): Promise<ConnectorCall> {
  const { definition } = context;
  const { amount, currency } = operation;
  const { cardNetwork, installmentCount, integrationClient, statementDescriptor } = transaction;
  const splits = wholeShares(transaction.splits);
  return {
    verb: 'authorize',
    key: providerKeyOf(operation),
    isRepeat: operation.attempts > 1,
    money: { amount, currency },
    ...payingBy(transaction, operation, means),
    merchantProfile: terms.merchantProfile,
    approvalPage: await approvalPageOf(app, operation, definition),
    returnUrl: await returnUrlOf(app, operation, definition),
    notifyUrl: notifyUrlOf(app, connection),
    merchantReference: transaction.merchantReference ?? transaction.id,
    country: transaction.country,
    ...buyerFacts(transaction),
    order: omitsOrder(context) ? null : orderOf(transaction),
    ...(splits && { splits }),
    series: seriesOf(transaction, operation, terms),
    capture: isSale(transaction),
    installmentCount,
    cardNetwork,
    statementDescriptor,
    threeDSecure: dataToHand(transaction.threeDSecure),
    authentication: terms.authentication,
    options: transaction.connectionOptions?.[connection.definitionId] ?? null,
    // The page of a link opens no session.
    integrationClient: transaction.paymentLinkId === null ? integrationClient : null,
  };
}

/** Picks the means that pays, by the kind that the transaction names. The provider's own token replaces any other. */
function payingBy(
  { instrumentType }: Transaction,
  { id, createdAt }: Operation,
  { card, bank, token, wallet, networkToken }: Means,
): Pick<AuthorizeRequest, keyof Means> {
  const nothing = { card: null, bank: null, token, wallet: null, networkToken: null };
  if (token !== null) return nothing;
  switch (instrumentType) {
    case 'pan':
      return { ...nothing, card: required(card, id) };
    case 'bank':
      return { ...nothing, bank: { ...required(bank, id), requestedOn: dayOf(createdAt) } };
    case 'applepay':
    case 'googlepay':
      return { ...nothing, wallet: required(wallet, id) };
    case 'network_token':
      return { ...nothing, networkToken: required(networkToken, id) };
    case 'card_token':
    case 'redirect_token':
      return { ...nothing, token: required(token, id) };
    default:
      return nothing;
  }
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

const seriesOf = (
  transaction: Transaction,
  { tokenizes }: Operation,
  { refersToEarlier, transactionLinkId }: Terms,
): AuthorizeRequest['series'] => ({
  store: transaction.store,
  tokenizes,
  source: transaction.paymentSource,
  merchantInitiated: transaction.merchantInitiated,
  isSubsequentPayment: transaction.isSubsequentPayment,
  schemeTransactionId: refersToEarlier ? transaction.previousSchemeTransactionId : null,
  ...(transactionLinkId !== null && { transactionLinkId }),
});

function required<Value>(value: Value | null, operationId: string): Value {
  if (value === null) throw new Error(`Authorisation ${operationId} lacks its means to pay`);
  return value;
}
