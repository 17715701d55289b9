import { FormDialog } from '../../design/form-dialog.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Advice, useEnd, type EndProps } from './end.tsx';
import { adopt, type Difference } from './query.ts';

const { differences, payment } = texts;
const { adopt: words } = differences;

type Adoption = NonNullable<Difference['adoption']>;

/** Books the report after a sentence about the effect. */
export function AdoptDialog({ adoption, ...props }: EndProps & { readonly adoption: Adoption }) {
  const { difference } = props;
  const { capturable, refundable } = difference.transaction;
  const { booked } = adoption;
  const end = useEnd(props);
  const change = (before: number, after: Adoption['refundable']): string =>
    words.change(writeMoney({ ...after, amount: before }), writeMoney(after));
  return (
    <FormDialog
      title={words.title}
      act={end}
      submit={words.submit}
      summary={[
        ...(booked ? [[kindOf(difference), <Amount key="booked" {...booked} />] as const] : []),
        [payment.amounts.capturable, change(capturable.amount, adoption.capturable)],
        [payment.amounts.refundable, change(refundable.amount, adoption.refundable)],
      ]}
      onSubmit={() => end.run(() => adopt(difference.id), words.done)}
      onClose={end.close}
    >
      <p>{effectOf(difference, adoption)}</p>
      <p className="quiet">{words.noMoney}</p>
      <Advice error={end.error} />
    </FormDialog>
  );
}

/** Returns the kind of the booking. A reported cancel is booked as a void. */
const bookedAs = ({ operationKind: kind }: Difference) => (kind === 'CANCEL' ? 'VOID' : kind);

function kindOf(difference: Difference): string {
  const kind = bookedAs(difference);
  return kind === null ? texts.settlements.compared.amount : payment.timeline.kind[kind];
}

/** Says in plain words what the adoption books, and what remains possible after. */
function effectOf(difference: Difference, { booked, capturable, refundable }: Adoption): string {
  const effect = words.effect(writeMoney(capturable), writeMoney(refundable));
  if (booked === null) return `${words.notes} ${effect}`;
  const known = Object.entries(words.books).find(([name]) => name === bookedAs(difference))?.[1];
  const amount = writeMoney(booked);
  return `${known?.(amount) ?? words.booksOther(kindOf(difference), amount)} ${effect}`;
}
