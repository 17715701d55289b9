import type { TransactionStatus } from '../../../client/generated/schema.ts';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

const TONES: Readonly<Record<TransactionStatus, Tone>> = {
  PROCESSING: 'wait',
  BUYER_APPROVAL_PENDING: 'wait',
  AUTHORIZATION_SUCCEEDED: 'info',
  AUTHORIZATION_DECLINED: 'bad',
  AUTHORIZATION_FAILED: 'bad',
  AUTHORIZATION_VOID_PENDING: 'wait',
  AUTHORIZATION_VOIDED: 'calm',
  CAPTURE_PENDING: 'wait',
  CAPTURE_SUCCEEDED: 'good',
};

type StatusOf = {
  readonly status: TransactionStatus;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly pendingReview: boolean;
};

/** The state of a payment. A refund shows in place of the capture, and an open review in place of the authorisation. */
export function Status({ status, capturedAmount, refundedAmount, pendingReview }: StatusOf) {
  if (pendingReview) return <Pill tone="wait">{texts.antiFraud.review.state}</Pill>;
  if (refundedAmount > 0)
    return (
      <Pill tone="calm">
        {refundedAmount < capturedAmount ? texts.payments.partlyRefunded : texts.payments.refunded}
      </Pill>
    );
  return <Pill tone={TONES[status]}>{texts.payments.status[status]}</Pill>;
}
