import type { App } from '../../../app.ts';
import { callConnector, type ConnectorCall } from '../../../connectors/call.ts';
import type { Connector } from '../../../connectors/connector.ts';
import type { AuthorizeRequest, Card } from '../../../connectors/requests.ts';
import type { CallContext } from '../../../connectors/call-context.ts';
import type { Outcome } from '../../../connectors/outcome.ts';
import { connectionOf, type Candidate, type ConnectionRow } from '../../payment-services/index.ts';
import { dataToHand } from '../model/three-d-secure.ts';
import { approvalPageOf } from '../authorize/buyer-approval/approval-page.ts';
import { sendToGiftCard } from '../authorize/split-tender/send-gift-card.ts';
import type { Operation, Operated } from '../model/operation.ts';
import { GIFT_CARDS_ALONE, isSale, type Transaction } from '../model/transaction.ts';

/** A claimed operation: pending, committed, ours to call the provider for. */
export type Claim = Operated & {
  readonly connection: ConnectionRow;
  /** To authorise with; the security code only on the first attempt. Null when something else pays. */
  readonly card: Card | null;
  /** What the service itself calls the payment method that pays; it pays in the place of the card. */
  readonly token: string | null;
  /** Of a cancel: the id of the authorisation that it ends. */
  readonly authorizationKey: string | null;
  /** Of an authorisation that is asked for the first time: the services to go on to, best first. */
  readonly alternatives: readonly Alternative[];
};

/**
 * A service to go on to, and until when the buyer could approve there (null when nothing there waits for the buyer), and could
 * pass a challenge.
 */
export type Alternative = Candidate & {
  readonly approvalExpiresAt: Date | null;
  readonly challengeExpiresAt: Date;
};

/**
 * Sends a claimed operation to its provider. Not when the lease has passed, as after a long pause of this process: somebody
 * else may have found that the provider does not know the operation, and have sent it.
 */
export async function send(app: App, claim: Claim): Promise<Outcome> {
  if (claim.operation.redemptionId !== null) return sendToGiftCard(app, claim);
  if (isOurs(claim)) return ourYes(claim.operation);
  const { connector, context } = await callTo(app, claim.operation, claim.connection);
  const call = callFor(claim, await approvalPageOf(app, claim.operation, context.definition));
  const { leaseUntil } = claim.operation;
  if (!leaseUntil || app.clock.now() >= leaseUntil) return { kind: 'unknown', cause: 'timeout' };
  return callConnector(connector, context, app.log, call);
}

/** Whether nobody is to be asked: gift cards pay it all, and what is left to do is ours. */
export const isOurs = ({ operation, transaction }: Operated): boolean =>
  operation.redemptionId === null && transaction.method === GIFT_CARDS_ALONE;

const ourYes = ({ id: reference, amount, currency }: Operation): Outcome => ({
  kind: 'succeeded',
  reference,
  money: { amount, currency },
  rawResponseCode: null,
  rawResponseDescription: null,
});

/** The connector of an operation's service, and what it needs for a call. */
export async function callTo(
  app: App,
  { merchantAccountId }: Operation,
  row: ConnectionRow,
): Promise<{ readonly connector: Connector; readonly context: CallContext }> {
  const { connector, definition, credentials } = await connectionOf(app, merchantAccountId, row);
  const deadlineMs = app.config.PAYGRAPH_PROVIDER_DEADLINE_MS;
  return { connector, context: { definition, credentials, http: app.http, deadlineMs } };
}

/** The same operation always makes the same call, under the same key. */
function callFor(claim: Claim, approvalPage: string | null): ConnectorCall {
  const { operation, transaction, card, token, authorizationKey, connection } = claim;
  const { id: key, kind, amount, currency } = operation;
  const { paymentServiceTransactionId: reference } = transaction;
  const money = { amount, currency };
  switch (kind) {
    case 'authorize':
      return authorization(transaction, connection, {
        ...{ key, money, approvalPage },
        card: token === null && transaction.instrumentType === 'pan' ? required(card, key) : null,
        token: transaction.instrumentType === 'redirect_token' ? required(token, key) : token,
      });
    case 'cancel':
      // As the claim wrote it: a reference that is learned later would make a repeat another request.
      return {
        verb: kind,
        key,
        money,
        authorizationKey: required(authorizationKey, key),
        reference: operation.providerReference,
      };
    case 'redeem':
    case 'unredeem':
      throw new Error(`Operation ${key} is of a gift card`);
    case 'capture':
      return { verb: kind, key, money, reference: required(reference, key), final: operation.final };
    default:
      return { verb: kind, key, money, reference: required(reference, key) };
  }
}

function authorization(
  transaction: Transaction,
  { definitionId }: ConnectionRow,
  given: Pick<
    Extract<ConnectorCall, { readonly verb: 'authorize' }>,
    'key' | 'money' | 'card' | 'token' | 'approvalPage'
  >,
): ConnectorCall {
  const postalCode = transaction.buyer?.billingDetails?.address?.postalCode ?? null;
  const options = transaction.connectionOptions?.[definitionId] ?? null;
  const threeDSecure = dataToHand(transaction.threeDSecure);
  const capture = isSale(transaction);
  const series = seriesOf(transaction);
  const { installmentCount, integrationClient, statementDescriptor } = transaction;
  return {
    verb: 'authorize',
    ...given,
    series,
    capture,
    installmentCount,
    statementDescriptor,
    postalCode,
    threeDSecure,
    options,
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
  if (value === null) throw new Error(`Operation ${operationId} lacks what its call needs`);
  return value;
}
