import type { SettlementTotal } from '../../settlements/index.ts';
import { wentOn, type PastPayment, type ReplayedRoute } from '../../transactions/index.ts';
import type { AttemptEnd, ComparedPayment, ComparedRoute } from '../model/payment.ts';

/** The code of an authorisation that a cancel ended. */
const CANCELED = 'canceled';

type PastAttempt = NonNullable<PastPayment['attempts']>[number];

/** Reduces a past payment to the values that are compared. */
export function comparedPayment(payment: PastPayment, settled: readonly SettlementTotal[]): ComparedPayment {
  const { id, currency, method, cardScheme: scheme, country, attempts } = payment;
  return {
    ...{ id, currency, method, scheme, country },
    // Gift cards pay the rest.
    amount: payment.amount - payment.giftCardAmount,
    attempts: (attempts ?? []).map((attempt) => ({
      paymentServiceId: attempt.paymentServiceId,
      end: endOf(attempt),
    })),
    feeRate: feeRateOf(payment, settled),
  };
}

function endOf(attempt: PastAttempt): AttemptEnd {
  const { status, errorCode, wasAsked } = attempt;
  if (status === 'pending' || errorCode === CANCELED || !wasAsked) return 'open';
  if (status === 'succeeded') return 'authorized';
  return wentOn(attempt) ? 'went_on' : 'refused';
}

/**
 * Returns the fee as a part of the captured amount. Entries in another currency tell the part as long as nothing was refunded. Null
 * for a payment without entries, or with entries in several currencies.
 */
function feeRateOf(
  { capturedAmount, refundedAmount, currency }: PastPayment,
  settled: readonly SettlementTotal[],
): number | null {
  const [total, ...others] = settled;
  if (!total || others.length > 0) return null;
  if (total.currency === currency) return capturedAmount > 0 ? total.fee / capturedAmount : null;
  return refundedAmount === 0 && total.gross > 0 ? total.fee / total.gross : null;
}

export const comparedRoute = ({ decision, paymentServiceIds }: ReplayedRoute): ComparedRoute => ({
  ...{ rule: decision.rule, share: decision.draw?.share ?? null, paymentServiceIds },
  refusalCode: decision.route.kind === 'refuse' ? decision.route.code : null,
});
