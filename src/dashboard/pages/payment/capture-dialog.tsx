import { useState } from 'react';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { useMoneyAct, type ActProps } from './act.ts';
import { AmountField, useAmount } from './amount-field.tsx';
import { capture } from './query.ts';

/** Captures a part or all of what is authorised. */
export function CaptureDialog(props: ActProps) {
  const { payment, onClose } = props;
  const { id, capturable } = payment;
  const words = texts.payment.act;
  const act = useMoneyAct(props);
  const amount = useAmount(capturable);
  const [isFinal, setFinal] = useState(true);
  const submit = (): void =>
    act.run(
      (idempotencyKey) =>
        capture({ id, idempotencyKey, input: { amount: amount.money.amount, final: isFinal } }),
      words.done.capture(writeMoney(amount.money)),
    );
  return (
    <ActDialog
      title={words.captureTitle}
      act={act}
      isReady={amount.isRight}
      submit={amount.isRight ? words.captureSubmit(writeMoney(amount.money)) : words.capture}
      onSubmit={submit}
      onClose={onClose}
      summary={[
        [words.captureGoes, amount.money],
        [isFinal ? words.captureReleased : words.captureRest, amount.rest],
      ]}
    >
      <AmountField {...amount} />
      {amount.rest.amount > 0 && amount.isRight && (
        <label className="choice">
          <input type="checkbox" checked={isFinal} onChange={({ target }) => setFinal(target.checked)} />
          <span>
            {words.final} <span className="quiet">{words.finalHint}</span>
          </span>
        </label>
      )}
    </ActDialog>
  );
}
