import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Payment } from './query.ts';

/** Says the state of a payment in sentences: what happened, for which reason, and what may follow. */
export function sentencesOf(payment: Payment): readonly string[] {
  const { sentence, unknown } = texts.payment;
  const known = sentence[payment.status];
  const first = typeof known === 'string' ? known : known(valueOf(payment));
  return [
    ...(payment.refundedAmount > 0 ? [refundOf(payment)] : [first]),
    ...adviceOf(payment),
    ...(payment.operations.some((each) => each.unknown) ? [unknown] : []),
  ];
}

/** The value in the sentence of a state: the amount to capture, or the reason of a decline. */
const valueOf = (payment: Payment): string =>
  payment.status === 'AUTHORIZATION_SUCCEEDED'
    ? writeMoney(payment.capturable)
    : reasonOf(payment, payment.errorCode);

/** Says a normalised code in the words of the API. */
export function reasonOf({ declineCodes }: Payment, code: string | null): string {
  const known = declineCodes.find((each) => each.code === code);
  return known?.description ?? code?.replaceAll('_', ' ') ?? texts.payment.noReason;
}

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
