import { FIRST_ATTEMPT, type RoutingFacts } from '../../routing/index.ts';
import type { Transaction } from '../model/transaction.ts';

/** A stored payment, as far as rules see it. */
export type DecidedPayment = Pick<
  Transaction,
  | 'id'
  | 'amount'
  | 'currency'
  | 'country'
  | 'method'
  | 'instrumentType'
  | 'paymentSource'
  | 'merchantInitiated'
  | 'isSubsequentPayment'
  | 'paymentMethodId'
  | 'store'
  | 'paymentLinkId'
  | 'buyerId'
  | 'cardScheme'
  | 'cardBin'
  | 'giftCardAmount'
  | 'installmentCount'
  | 'threeDSecureRequest'
  | 'metadata'
  | 'externalIdentifier'
> & {
  readonly routing: Pick<NonNullable<Transaction['routing']>, 'threeDSecure'> | null;
  /** `external` for the data of an authentication elsewhere. Null without an authentication. */
  readonly threeDSecureSource: string | null;
};

/** True for a payment that used a stored method, and not for one that stored its method. */
export const isOfStoredMethod = ({
  paymentMethodId,
  store,
}: Pick<Transaction, 'paymentMethodId' | 'store'>): boolean => paymentMethodId !== null && !store;

/**
 * Returns the facts of a stored payment as they were at the moment of its decision. Metadata and identifier are those of today.
 */
export function factsThen(payment: DecidedPayment, at: Date): RoutingFacts {
  const { id, buyerId, amount, currency, country, method, instrumentType, paymentSource } = payment;
  const { merchantInitiated, isSubsequentPayment, store, metadata, routing } = payment;
  const isStored = isOfStoredMethod(payment);
  // The provider tells the card of a wallet, and that of a token, after the decision. A network token shows its scheme.
  const knowsCard = isStored || instrumentType === 'pan';
  const knowsScheme = knowsCard || instrumentType === 'network_token';
  return {
    ...{ paymentId: payment.paymentLinkId ?? id, buyerId, amount, currency, country },
    ...{ method, instrument: instrumentType },
    scheme: knowsScheme ? payment.cardScheme : null,
    bin: knowsCard ? payment.cardBin : null,
    ...{ paymentSource, merchantInitiated, isSubsequentPayment, isStored, stores: store },
    ...{ hasGiftCards: payment.giftCardAmount > 0, installmentCount: payment.installmentCount ?? 1 },
    // A wish that a rule gave is not the payment's own.
    threeDSecureRequest: routing?.threeDSecure == null ? payment.threeDSecureRequest : 'automatic',
    hasThreeDSecureData: payment.threeDSecureSource === 'external',
    ...{ metadata, externalIdentifier: payment.externalIdentifier, at },
    ...FIRST_ATTEMPT,
  };
}
