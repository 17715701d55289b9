import { useState } from 'react';
import { TextField } from '../../design/field.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { useMoneyAct, type ActProps } from './act.ts';
import { AmountField, useAmount } from './amount-field.tsx';
import { refund } from './query.ts';

/** Refunds a part or all of what is left. */
export function RefundDialog(props: ActProps) {
  const { payment, onClose } = props;
  const { id, currency, refundable, refundableAlone, refundedAmount } = payment;
  const words = texts.payment.act;
  const act = useMoneyAct(props);
  const amount = useAmount(refundable);
  const [reason, setReason] = useState('');
  const needsPerson = refundableAlone !== null && amount.money.amount > refundableAlone.amount;
  const submitWords = needsPerson ? words.refundAsk : words.refundSubmit;
  const submit = (): void =>
    act.run(
      (idempotencyKey) =>
        refund({ id, idempotencyKey, input: { amount: amount.money.amount, reason: reason.trim() || null } }),
      words.done.refund(writeMoney(amount.money)),
    );
  return (
    <ActDialog
      title={words.refundTitle}
      act={act}
      isReady={amount.isRight}
      submit={amount.isRight ? submitWords(writeMoney(amount.money)) : words.refund}
      onSubmit={submit}
      onClose={onClose}
      summary={[
        [words.refundGoes, amount.money],
        ...(refundedAmount > 0 ? [[words.refundBefore, { amount: refundedAmount, currency }] as const] : []),
        [words.refundRest, amount.rest],
      ]}
    >
      <AmountField {...amount} />
      {needsPerson && <p role="status">{words.refundNeedsPerson(writeMoney(refundableAlone))}</p>}
      <TextField
        label={words.reason}
        hint={words.reasonHint}
        maxLength={100}
        value={reason}
        onChange={setReason}
      />
    </ActDialog>
  );
}
