import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { useMoneyAct, type ActProps } from './act.ts';
import { voidPayment } from './query.ts';

/** Releases the whole authorised amount. */
export function VoidDialog(props: ActProps) {
  const { id, currency, authorizedAmount } = props.payment;
  const words = texts.payment.act;
  const act = useMoneyAct(props);
  const amount = { amount: authorizedAmount, currency };
  return (
    <ActDialog
      title={words.voidTitle}
      act={act}
      isReady
      cancel={words.keep}
      submit={words.voidSubmit(writeMoney(amount))}
      summary={[[words.voidGoes, amount]]}
      onSubmit={() => act.run((idempotencyKey) => voidPayment({ id, idempotencyKey }), words.done.void)}
      onClose={props.onClose}
    >
      <p className="quiet">{words.voidText}</p>
    </ActDialog>
  );
}
