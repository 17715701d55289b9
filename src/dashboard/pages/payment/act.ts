import { useAct } from '../../app/act.ts';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import type { Outcome, Payment } from './query.ts';
import { reasonOf } from './decline.ts';

/** The props of each dialog of an act. */
export type ActProps = {
  readonly payment: Payment;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** The state of an act that moves money. */
export type MoneyAct = {
  readonly isRunning: boolean;
  readonly error: unknown;
  /** Carries the act out. `done` is the sentence of success. */
  readonly run: (act: (idempotencyKey: string) => Promise<Outcome>, done: string) => void;
};

/** Carries out the act of a dialog, and closes the dialog with the outcome. A refusal stays in the dialog. */
export function useMoneyAct({ payment, onClose, onChanged }: ActProps): MoneyAct {
  const toast = useToast();
  const { run, ...state } = useAct();
  const finish = ({ status, errorCode }: Outcome, done: string): void => {
    const { act } = texts.payment;
    if (status === 'REQUESTED') toast('good', act.requested);
    else if (status === 'DECLINED' || status === 'FAILED')
      toast('bad', act.declined(reasonOf(payment.declineCodes, errorCode)));
    else toast('good', status === 'SUCCEEDED' ? done : act.pending);
    onChanged();
    onClose();
  };
  return { ...state, run: (act, done) => run(act, (outcome) => finish(outcome, done)) };
}
