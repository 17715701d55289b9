import { useState } from 'react';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import type { Outcome, Payment } from './query.ts';
import { reasonOf } from './words.ts';

/** The props of each dialog of an act. */
export type ActProps = {
  readonly payment: Payment;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** The state of an act. */
export type Act = {
  readonly isRunning: boolean;
  readonly error: unknown;
  /** Carries the act out. `done` is the sentence of success. */
  run(act: (idempotencyKey: string) => Promise<Outcome>, done: string): void;
};

/**
 * Carries out the act of a dialog. The dialog has one idempotency key, so a repeated press never moves money twice. A refusal
 * stays in the dialog, and the key goes with the dialog.
 */
export function useAct({ payment, onClose, onChanged }: ActProps): Act {
  const toast = useToast();
  const [key] = useState(() => crypto.randomUUID());
  const [state, setState] = useState({ isRunning: false, error: null as unknown });
  const finish = ({ status, errorCode }: Outcome, done: string): void => {
    const { act } = texts.payment;
    if (status === 'DECLINED' || status === 'FAILED')
      toast('bad', act.declined(reasonOf(payment, errorCode)));
    else toast('good', status === 'SUCCEEDED' ? done : act.pending);
    onChanged();
    onClose();
  };
  return {
    ...state,
    run: (act, done) => {
      setState({ isRunning: true, error: null });
      act(key).then(
        (outcome) => finish(outcome, done),
        (error: unknown) => setState({ isRunning: false, error }),
      );
    },
  };
}
