import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { reasonOf } from './decline.ts';
import type { Payment } from './query.ts';

/** Says the state of a payment in sentences: what happened, for which reason, and what may follow. */
export function sentencesOf(payment: Payment): readonly string[] {
  return [
    payment.refundedAmount > 0 ? refundOf(payment) : stateOf(payment),
    ...adviceOf(payment),
    ...(payment.operations.some((each) => each.unknown) ? [texts.payment.unknown] : []),
  ];
}

function stateOf(payment: Payment): string {
  const { status, pendingReview, reviewOutcome, authorizedAmount, currency } = payment;
  const { review } = texts.antiFraud;
  if (pendingReview) return review.sentence(writeMoney({ amount: authorizedAmount, currency }));
  if (reviewOutcome === 'REJECTED' && status === 'AUTHORIZATION_SUCCEEDED') return review.notReleased;
  const known = texts.payment.sentence[status];
  return typeof known === 'string' ? known : known(valueOf(payment));
}

/** The value in the sentence of a state: the amount to capture, or the reason of a decline. */
const valueOf = (payment: Payment): string =>
  payment.status === 'AUTHORIZATION_SUCCEEDED'
    ? writeMoney(payment.capturable)
    : reasonOf(payment.declineCodes, payment.errorCode);

function refundOf({ currency, refundedAmount, capturedAmount }: Payment): string {
  const { refundedAll, refundedPart } = texts.payment;
  if (refundedAmount >= capturedAmount) return refundedAll;
  return refundedPart(
    writeMoney({ amount: refundedAmount, currency }),
    writeMoney({ amount: capturedAmount, currency }),
  );
}

function adviceOf({ status, errorCode, declineCodes }: Payment): readonly string[] {
  const known = declineCodes.find(({ code }) => code === errorCode);
  if (!known || (status !== 'AUTHORIZATION_DECLINED' && status !== 'AUTHORIZATION_FAILED')) return [];
  return [known.goesOn ? texts.payment.mayRetry : texts.payment.noRetry];
}

/** Writes a word of the API as a text: `CHALLENGE_FAILED` becomes `Challenge failed`. */
export const plain = (word: string): string =>
  (word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).replaceAll('_', ' ');
