import { useState } from 'react';
import type { ReviewDecision } from '../../../client/generated/schema.ts';
import { mistakeAt } from '../../app/mistakes.ts';
import { AreaField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { useMoneyAct, type ActProps } from './act.ts';
import { resolveReview, type Payment } from './query.ts';

const { review: words } = texts.antiFraud;

type ReviewDialogProps = ActProps & { readonly decision: ReviewDecision };

/** Ends the review of a held payment. */
export function ReviewDialog({ decision, ...props }: ReviewDialogProps) {
  const { id, authorizedAmount, currency } = props.payment;
  const act = useMoneyAct(props);
  const [comment, setComment] = useState('');
  const { title, text, effect, submit, done } = wordsOf(decision, props.payment);
  const given = comment.trim() === '' ? null : comment.trim();
  return (
    <ActDialog
      title={title}
      act={act}
      look={decision === 'ACCEPT' ? 'primary' : 'danger'}
      cancel={words.keep}
      submit={submit}
      summary={[[effect, { amount: authorizedAmount, currency }]]}
      onSubmit={() =>
        act.run(
          (idempotencyKey) => resolveReview({ id, idempotencyKey, input: { decision, comment: given } }),
          done,
        )
      }
      onClose={props.onClose}
    >
      <p className="quiet">{text}</p>
      <AreaField
        label={words.comment}
        hint={words.commentHint}
        mistake={mistakeAt(act.error, 'comment')}
        maxLength={500}
        value={comment}
        onChange={setComment}
      />
    </ActDialog>
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
