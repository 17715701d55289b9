import { useState } from 'react';
import type { ReviewDecision } from '../../../client/generated/schema.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { SyncButton } from '../unresolved/sync.tsx';
import { CaptureDialog, RefundDialog, VoidDialog } from './dialogs.tsx';
import type { Payment } from './query.ts';
import { ReviewDialog } from './review-dialog.tsx';

type ActionsProps = { readonly payment: Payment; readonly onChanged: () => void };

/** The acts that the payment's state and the person's role allow. The API decides again. */
export function Actions({ payment, onChanged }: ActionsProps) {
  const { act } = texts.payment;
  const [open, setOpen] = useState<'capture' | 'refund' | 'void' | ReviewDecision | null>(null);
  const close = (): void => setOpen(null);
  const props = { payment, onClose: close, onChanged };
  const isAuthorized = payment.status === 'AUTHORIZATION_SUCCEEDED';
  const mayCapture = payment.capturable.amount > 0;
  if (!useMay('transactions.write')) return null;
  return (
    <div className="actions">
      {payment.operations.some(({ status }) => status === 'PENDING') && (
        <SyncButton transactionId={payment.id} onChanged={onChanged} />
      )}
      {payment.refundable.amount > 0 && (
        <Button icon="refund" onPress={() => setOpen('refund')}>
          {act.refund}
        </Button>
      )}
      {payment.pendingReview && <ReviewButtons onOpen={setOpen} />}
      {isAuthorized && payment.capturedAmount === 0 && !payment.pendingReview && (
        <Button icon="cancel" look="danger" onPress={() => setOpen('void')}>
          {act.void}
        </Button>
      )}
      {mayCapture && (
        <Button icon="capture" look="primary" onPress={() => setOpen('capture')}>
          {act.capture}
        </Button>
      )}
      {open === 'capture' && <CaptureDialog {...props} />}
      {open === 'refund' && <RefundDialog {...props} />}
      {open === 'void' && <VoidDialog {...props} />}
      {(open === 'ACCEPT' || open === 'REJECT') && <ReviewDialog {...props} decision={open} />}
    </div>
  );
}

type ReviewButtonsProps = { readonly onOpen: (decision: ReviewDecision) => void };

/** The ends of an open review. A rejection also voids the payment. */
function ReviewButtons({ onOpen }: ReviewButtonsProps) {
  const { review } = texts.antiFraud;
  return (
    <>
      <Button icon="cancel" look="danger" onPress={() => onOpen('REJECT')}>
        {review.reject}
      </Button>
      <Button icon="tick" look="primary" onPress={() => onOpen('ACCEPT')}>
        {review.accept}
      </Button>
    </>
  );
}
