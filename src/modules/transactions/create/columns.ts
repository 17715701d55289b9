import type { Candidate } from '../../payment-services/index.ts';
import type { SplitTender } from '../authorize/split-tender/split-tender.ts';
import { externalThreeDSecure } from '../authorize/three-d-secure/external.ts';
import { networkOf } from '../input/card-network.ts';
import { earlierPaymentOf } from '../instrument/terms.ts';
import { bankPaymentOf } from '../model/bank-payment.ts';
import { cardColumns } from '../instrument/card-columns.ts';
import type { NewColumns } from './create.sql.ts';
import type { CreateRequest } from './request.ts';
import type { ChosenRoute } from './route.ts';

/** The payment link and attempt of a payment on a hosted page. */
export type Origin = Pick<NewColumns, 'paymentLinkId' | 'paymentLinkAttemptId'>;

/** A payment whose parts and route are known. */
export type Payment = CreateRequest & {
  readonly transactionId: string;
  readonly origin: Origin;
  readonly paying: SplitTender;
  readonly route: ChosenRoute;
};

/** Returns the columns of a new payment at a service. `approvalExpiry` is null if no buyer has to approve. */
export function columnsOf(
  { transactionId, input, cardFingerprint, origin, paying, route }: Payment,
  approvalExpiry: Date | null,
  service: Candidate,
): Omit<NewColumns, 'circuits'> {
  const { threeDSecureData, giftCards: _giftCards, retryPlan: _plan, ...columns } = input;
  const { bank, stored, made, buyerId, buyer, country, redirectUrl, method, instrumentType } = paying;
  const { giftCardAmount } = paying;
  return {
    ...columns,
    ...origin,
    merchantReference: input.externalIdentifier ?? transactionId,
    ...{ buyerId, buyer, country, redirectUrl, method, instrumentType, giftCardAmount },
    paymentMethodId: stored?.id ?? made?.paymentMethod.id ?? null,
    previousSchemeTransactionId: stored && earlierPaymentOf(stored),
    bank: bank && bankPaymentOf(bank),
    ...cardColumns(paying, cardFingerprint),
    cardNetwork: networkOf(input),
    approvalExpiresAt: approvalExpiry,
    approvalUrl: null,
    antiFraudServiceId: route.antiFraudServiceId,
    antiFraudDecision: route.antiFraudServiceId === null ? null : 'pending',
    threeDSecureRequest: route.threeDSecureRequest,
    routing: route.routing,
    threeDSecure: threeDSecureData && externalThreeDSecure(threeDSecureData, input.amount),
    paymentServiceId: service.id,
  };
}
