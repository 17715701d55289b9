import { useState } from 'react';
import { readMoney, typeMoney, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { useAct, type ActProps } from './act.ts';
import { AmountField } from './amount-field.tsx';
import { capture } from './query.ts';

/** Captures a part or all of what is authorised. */
export function CaptureDialog(props: ActProps) {
  const { payment, onClose } = props;
  const { id, currency, capturable } = payment;
  const words = texts.payment.act;
  const act = useAct(props);
  const [typed, setTyped] = useState(() => typeMoney(capturable));
  const [isFinal, setFinal] = useState(true);
  const amount = readMoney(typed, currency);
  const isRight = amount !== null && amount <= capturable.amount;
  const shown = { amount: isRight ? amount : 0, currency };
  const rest = capturable.amount - shown.amount;
  const submit = (): void =>
    act.run(
      (idempotencyKey) => capture({ id, idempotencyKey, input: { amount: shown.amount, final: isFinal } }),
      words.done.capture(writeMoney(shown)),
    );
  return (
    <ActDialog
      title={words.captureTitle}
      act={act}
      isReady={isRight}
      submit={isRight ? words.captureSubmit(writeMoney(shown)) : words.capture}
      onSubmit={submit}
      onClose={onClose}
      summary={[
        [words.captureGoes, shown],
        [isFinal ? words.captureReleased : words.captureRest, { amount: rest, currency }],
      ]}
    >
      <AmountField
        value={typed}
        currency={currency}
        mistake={isRight ? null : words.badAmount(writeMoney(capturable))}
        onChange={setTyped}
      />
      {rest > 0 && isRight && (
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
