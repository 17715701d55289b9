import { useState } from 'react';
import type { Said } from '../../app/data/act.ts';
import { CheckField, TextField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import type { Fact } from '../../design/record/facts.tsx';
import { Amount, writeMoney, type Money } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { AmountField, useAmount } from './amount-field.tsx';
import { reasonOf } from './decline.ts';
import { capture, refund, voidPayment, type Outcome, type Payment } from './query.ts';

const { act: words } = texts.payment;

/** The props of each dialog of an act. */
export type ActProps = DialogProps & { readonly payment: Payment };

/** Says the outcome of an act that moves money. */
export function sayOutcome({ declineCodes }: Payment, { status, errorCode }: Outcome, done: string): Said {
  if (status === 'REQUESTED') return words.requested;
  if (status === 'DECLINED' || status === 'FAILED')
    return ['bad', words.declined(reasonOf(declineCodes, errorCode))];
  return status === 'SUCCEEDED' ? done : words.pending;
}

const factOf = (label: string, money: Money): Fact => [label, <Amount {...money} />];

/** Captures a part or all of what is authorised. */
export function CaptureDialog({ payment, ...ends }: ActProps) {
  const { id, capturable } = payment;
  const amount = useAmount(capturable);
  const { money, rest, isRight } = amount;
  const [isFinal, setFinal] = useState(true);
  const input = { amount: money.amount, final: isFinal };
  return (
    <FormDialog
      title={words.captureTitle}
      isReady={isRight}
      submit={isRight ? words.captureSubmit(writeMoney(money)) : words.capture}
      summary={[
        factOf(words.captureGoes, money),
        factOf(isFinal ? words.captureReleased : words.captureRest, rest),
      ]}
      run={(idempotencyKey) => capture({ id, idempotencyKey, input })}
      said={(outcome) => sayOutcome(payment, outcome, words.done.capture(writeMoney(money)))}
      {...ends}
    >
      <AmountField {...amount} />
      {rest.amount > 0 && isRight && (
        <CheckField label={words.final} hint={words.finalHint} value={isFinal} onChange={setFinal} />
      )}
    </FormDialog>
  );
}

/** Refunds a part or all of what is left. */
export function RefundDialog({ payment, ...ends }: ActProps) {
  const { id, currency, refundable, refundableAlone, refundedAmount } = payment;
  const amount = useAmount(refundable);
  const { money, rest, isRight } = amount;
  const [reason, setReason] = useState('');
  const needsPerson = refundableAlone !== null && money.amount > refundableAlone.amount;
  const submitWords = needsPerson ? words.refundAsk : words.refundSubmit;
  const input = { amount: money.amount, reason: reason.trim() || null };
  const before = { amount: refundedAmount, currency };
  return (
    <FormDialog
      title={words.refundTitle}
      isReady={isRight}
      submit={isRight ? submitWords(writeMoney(money)) : words.refund}
      summary={[
        factOf(words.refundGoes, money),
        ...(refundedAmount > 0 ? [factOf(words.refundBefore, before)] : []),
        factOf(words.refundRest, rest),
      ]}
      run={(idempotencyKey) => refund({ id, idempotencyKey, input })}
      said={(outcome) => sayOutcome(payment, outcome, words.done.refund(writeMoney(money)))}
      {...ends}
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
    </FormDialog>
  );
}

/** Releases the whole authorised amount. */
export function VoidDialog({ payment, ...ends }: ActProps) {
  const { id, currency, authorizedAmount } = payment;
  const amount = { amount: authorizedAmount, currency };
  return (
    <FormDialog
      title={words.voidTitle}
      cancel={words.keep}
      submit={words.voidSubmit(writeMoney(amount))}
      summary={[factOf(words.voidGoes, amount)]}
      run={(idempotencyKey) => voidPayment({ id, idempotencyKey })}
      said={(outcome) => sayOutcome(payment, outcome, words.done.void)}
      {...ends}
    >
      <p className="quiet">{words.voidText}</p>
    </FormDialog>
  );
}
