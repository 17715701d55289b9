import { useContext, useState } from 'react';
import { PaygraphError } from '../../../client/error.ts';
import { api } from '../../app/data/api.ts';
import { AreaField, FormError } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { FoundDifference } from './difference.ts';
import { reportOf } from './words.ts';

const { differences, payment } = texts;
const { adopt: words } = differences;

type Adoption = NonNullable<FoundDifference['adoption']>;

/** The props of each dialog that ends a difference. */
type EndProps = DialogProps & { readonly difference: FoundDifference };

/** Books the report after a sentence about the effect. */
export function AdoptDialog({ adoption, ...props }: EndProps & { readonly adoption: Adoption }) {
  const { difference, ...ends } = props;
  const { id, transaction } = difference;
  const { booked } = adoption;
  const change = (before: number, after: Adoption['refundable']): string =>
    words.change(writeMoney({ ...after, amount: before }), writeMoney(after));
  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      summary={[
        ...(booked ? [[kindOf(difference), <Amount key="booked" {...booked} />] as const] : []),
        [payment.amounts.capturable, change(transaction.capturable.amount, adoption.capturable)],
        [payment.amounts.refundable, change(transaction.refundable.amount, adoption.refundable)],
      ]}
      run={() => api.mutate({ adoptDifference: [{ id }, { difference: { id: true } }] })}
      said={words.done}
      {...ends}
    >
      <p>{effectOf(difference, adoption)}</p>
      <p className="quiet">{words.noMoney}</p>
      <Advice />
    </FormDialog>
  );
}

/** Ends a difference without a booking. The audit log keeps the reason. */
export function DismissDialog({ difference, ...ends }: EndProps) {
  const { dismiss, column, finding } = differences;
  const [typed, setTyped] = useState('');
  const given = { id: difference.id, reason: typed.trim() };
  return (
    <FormDialog
      title={dismiss.title}
      submit={dismiss.submit}
      look="danger"
      isReady={given.reason !== ''}
      summary={[
        [column.finding, finding[difference.finding].short],
        [column.provider, reportOf(difference)],
      ]}
      run={() => api.mutate({ dismissDifference: [given, { difference: { id: true } }] })}
      said={dismiss.done}
      {...ends}
    >
      <p className="quiet">{dismiss.text}</p>
      <AreaField
        label={dismiss.reason}
        hint={dismiss.reasonHint}
        maxLength={500}
        required
        value={typed}
        onChange={setTyped}
      />
      <Advice />
    </FormDialog>
  );
}

/** Says what to do after a refusal. Nothing for an error that tells it itself. */
function Advice() {
  const error = useContext(FormError);
  const { refused } = differences;
  if (!(error instanceof PaygraphError)) return null;
  if (error.code === 'FORBIDDEN') return <p>{refused.forbidden}</p>;
  return error.code === 'OPERATION_NOT_ALLOWED' ? <p>{refused.changed}</p> : null;
}

/** Returns the kind of the booking. A reported cancel is booked as a void. */
const bookedAs = ({ operationKind: kind }: FoundDifference) => (kind === 'CANCEL' ? 'VOID' : kind);

function kindOf(difference: FoundDifference): string {
  const kind = bookedAs(difference);
  return kind === null ? texts.settlements.compared.amount : payment.timeline.kind[kind];
}

/** Says in plain words what the adoption books, and what remains possible after. */
function effectOf(difference: FoundDifference, { booked, capturable, refundable }: Adoption): string {
  const effect = words.effect(writeMoney(capturable), writeMoney(refundable));
  if (booked === null) return `${words.notes} ${effect}`;
  const known = Object.entries(words.books).find(([name]) => name === bookedAs(difference))?.[1];
  const amount = writeMoney(booked);
  return `${known?.(amount) ?? words.booksOther(kindOf(difference), amount)} ${effect}`;
}
