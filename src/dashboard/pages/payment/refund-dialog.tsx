import { useId, useState } from 'react';
import { readMoney, typeMoney, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { useAct, type ActProps } from './act.ts';
import { AmountField } from './amount-field.tsx';
import { refund } from './query.ts';

/** Refunds a part or all of what is left. */
export function RefundDialog(props: ActProps) {
  const { payment, onClose } = props;
  const { id, currency, refundable, refundedAmount } = payment;
  const words = texts.payment.act;
  const act = useAct(props);
  const [typed, setTyped] = useState(() => typeMoney(refundable));
  const [reason, setReason] = useState('');
  const field = useId();
  const amount = readMoney(typed, currency);
  const isRight = amount !== null && amount <= refundable.amount;
  const shown = { amount: isRight ? amount : 0, currency };
  const submit = (): void =>
    act.run(
      (idempotencyKey) =>
        refund({ id, idempotencyKey, input: { amount: shown.amount, reason: reason.trim() || null } }),
      words.done.refund(writeMoney(shown)),
    );
  return (
    <ActDialog
      title={words.refundTitle}
      act={act}
      isReady={isRight}
      submit={isRight ? words.refundSubmit(writeMoney(shown)) : words.refund}
      onSubmit={submit}
      onClose={onClose}
      summary={[
        [words.refundGoes, shown],
        ...(refundedAmount > 0 ? [[words.refundBefore, { amount: refundedAmount, currency }] as const] : []),
        [words.refundRest, { amount: refundable.amount - shown.amount, currency }],
      ]}
    >
      <AmountField
        value={typed}
        currency={currency}
        mistake={isRight ? null : words.badAmount(writeMoney(refundable))}
        onChange={setTyped}
      />
      <div className="field">
        <label htmlFor={field}>{words.reason}</label>
        <input
          id={field}
          className="input"
          maxLength={100}
          value={reason}
          aria-describedby={`${field}-hint`}
          onChange={({ target }) => setReason(target.value)}
        />
        <span id={`${field}-hint`} className="hint">
          {words.reasonHint}
        </span>
      </div>
    </ActDialog>
  );
}
