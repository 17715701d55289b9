import { useState } from 'react';
import type { ReviewDecision } from '../../../client/generated/schema.ts';
import { AreaField } from '../../design/form/field.tsx';
import { FormDialog } from '../../design/form/form-dialog.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { sayOutcome, type ActProps } from './dialogs.tsx';
import { resolveReview, type Payment } from './query.ts';

const { review: words } = texts.antiFraud;

type ReviewDialogProps = ActProps & { readonly decision: ReviewDecision };

/** Ends the review of a held payment. */
export function ReviewDialog({ decision, payment, ...ends }: ReviewDialogProps) {
  const { id, authorizedAmount, currency } = payment;
  const [comment, setComment] = useState('');
  const { title, text, effect, submit, done } = wordsOf(decision, payment);
  const input = { decision, comment: comment.trim() || null };
  return (
    <FormDialog
      title={title}
      look={decision === 'ACCEPT' ? 'primary' : 'danger'}
      cancel={words.keep}
      submit={submit}
      summary={[[effect, <Amount amount={authorizedAmount} currency={currency} />]]}
      run={(idempotencyKey) => resolveReview({ id, idempotencyKey, input })}
      said={(outcome) => sayOutcome(payment, outcome, done)}
      {...ends}
    >
      <p className="quiet">{text}</p>
      <AreaField
        label={words.comment}
        hint={words.commentHint}
        path="comment"
        maxLength={500}
        value={comment}
        onChange={setComment}
      />
    </FormDialog>
  );
}

function wordsOf(decision: ReviewDecision, { intent }: Payment) {
  const { act } = texts.payment;
  if (decision === 'REJECT')
    return {
      ...{ title: words.rejectTitle, text: words.rejectText, effect: act.voidGoes },
      ...{ submit: words.rejectSubmit, done: words.rejected },
    };
  const isCaptured = intent === 'CAPTURE';
  return {
    title: words.acceptTitle,
    text: isCaptured ? words.acceptText : words.acceptTextLater,
    effect: isCaptured ? act.captureGoes : words.acceptLater,
    submit: words.acceptSubmit,
    done: words.accepted,
  };
}
