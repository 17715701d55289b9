import type { App } from '../../../app.ts';
import { callConnector, type ConnectorCall } from '../../../connectors/calls/call.ts';
import type { CallContext } from '../../../connectors/interface/call-context.ts';
import type { Connector } from '../../../connectors/interface/connector.ts';
import { omitsOrder } from '../../../connectors/buyer/omit-order.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import type { RefundedCapture } from '../../../connectors/interface/requests.ts';
import { openCall } from '../../payment-services/index.ts';
import type { Operated, Operation } from '../model/operation.ts';
import { GIFT_CARDS_ALONE, type Transaction } from '../model/transaction.ts';
import { sendToGiftCard } from '../redemption/send-gift-card.ts';
import { authorizationCall } from './authorization-call.ts';
import type { AuthorizationClaim, Claim } from '../claim/claim.ts';
import type { Order } from '../../../connectors/interface/order.ts';
import { orderOfCapture, orderOfRefund } from './order.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import { isResuming } from './resuming.sql.ts';

/**
 * Sends a claimed operation to its provider. Sends nothing after the lease, as after a long pause of this process.
 * Another process may then have sent the operation again.
 */
export async function send(app: App, claim: Claim | AuthorizationClaim): Promise<Outcome> {
  const { operation, connection } = claim;
  if (operation.redemptionId !== null) return sendToGiftCard(app, claim);
  if (needsNoProvider(claim)) return ownSuccess(operation);
  const { connector, context } = await openCall(app, operation.merchantAccountId, connection);
  const call =
    'alternatives' in claim
      ? await authorizationCall(app, claim, context)
      : followUpCall(claim, {
          resuming: await mayResume(app, operation, connector, context),
          hasOrder: !omitsOrder(context),
        });
  if (!operation.leaseUntil || app.clock.now() >= operation.leaseUntil)
    return { kind: 'unknown', cause: 'timeout' };
  return callConnector(connector, context, app.log, call);
}

/** Reads whether a request that continues the payment under cancellation may be under way. */
const mayResume = async (
  { db, clock }: App,
  operation: Operation,
  connector: Connector,
  { definition }: CallContext,
): Promise<boolean> =>
  operation.kind === 'cancel' &&
  connector.resume !== undefined &&
  (await isResuming(db, operation, definition, clock.now()));

/** True when gift cards pay the whole payment, so that the operation succeeds without a provider. */
export const needsNoProvider = ({ operation, transaction }: Operated): boolean =>
  operation.redemptionId === null && transaction.method === GIFT_CARDS_ALONE;

const ownSuccess = ({ id: reference, amount, currency }: Operation): Outcome => ({
  kind: 'succeeded',
  reference,
  money: { amount, currency },
  rawResponseCode: null,
  rawResponseDescription: null,
});

/** The facts of a follow-up beside its claim. `hasOrder`: the provider takes orders from the payment service. */
type FollowUpFacts = { readonly resuming: boolean; readonly hasOrder: boolean };

/**
 * Builds the call of an operation on a payment. The same operation always makes the same call, beside the mark of a repeat. No
 * other increase starts before the end of this one, so the total stays the same too.
 */
function followUpCall(
  { operation, transaction, authorizationKey }: Claim,
  { resuming, hasOrder }: FollowUpFacts,
): ConnectorCall {
  const { kind, amount, currency, final, providerReference, attempts, splits } = operation;
  const { paymentServiceTransactionId: reference } = transaction;
  const common = {
    ...{ key: providerKeyOf(operation), money: { amount, currency } },
    ...(attempts > 1 && { isRepeat: true as const }),
  };
  switch (kind) {
    case 'increase':
      return {
        ...{ verb: kind, ...common, reference: required(reference, operation.id) },
        total: { amount: transaction.authorizedAmount + amount, currency },
      };
    case 'reauthorize':
      return { verb: kind, ...common, reference: required(reference, operation.id) };
    case 'capture':
      return {
        ...{ verb: kind, ...common, reference: required(reference, operation.id), final },
        ...{ rest: restOf(transaction), ...(hasOrder && withOrder(orderOfCapture(transaction, operation))) },
        ...(splits && { splits }),
      };
    case 'refund':
      return {
        ...{ verb: kind, ...common, reference: required(reference, operation.id) },
        captures: capturesOf(operation),
        ...(hasOrder && withOrder(orderOfRefund(transaction, operation))),
        ...(splits && { splits }),
      };
    case 'void':
      return { verb: kind, ...common, reference: required(reference, operation.id) };
    case 'cancel':
    case 'release':
      // The reference of the claim. A reference learned later would make a repeat another request.
      return {
        verb: 'cancel',
        ...common,
        authorizationKey: required(authorizationKey, operation.id),
        reference: providerReference,
        ...{ createdAt: transaction.createdAt, resuming },
      };
    default:
      throw new Error(`Operation ${operation.id} is no follow-up`);
  }
}

const withOrder = (order: Order | null) => (order === null ? {} : { order });

/** Returns the part of an authorisation that no capture takes, whether it is confirmed or under way. */
const restOf = ({ authorizedAmount, capturedAmount, capturePendingAmount }: Transaction): number =>
  Math.max(authorizedAmount - capturedAmount - capturePendingAmount, 0);

/** Returns the captures of a refund, with their shares. Leaves out our ids of the captures, which no provider knows. */
const capturesOf = ({ id, refundCaptures, splits }: Operation): RefundedCapture[] =>
  required(refundCaptures, id).map(({ key, reference, amount }, nth) => ({
    ...{ key, reference, amount },
    ...(splits?.captures && { shares: splits.captures[nth]?.shares ?? [] }),
  }));

function required<Value>(value: Value | null, operationId: string): Value {
  if (value === null) throw new Error(`Operation ${operationId} lacks what its call needs`);
  return value;
}
