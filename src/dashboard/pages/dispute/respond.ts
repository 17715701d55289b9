import { useAct, type Act } from '../../app/act.ts';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import type { Dispute, Outcome } from './query.ts';
import { reasonOf } from './responses.tsx';

/** The props of each dialog of a response. */
export type RespondProps = {
  readonly dispute: Dispute;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

type Respond = Pick<Act, 'isRunning' | 'error'> & {
  /** Sends the response. `done` is the sentence of success. */
  readonly run: (send: (idempotencyKey: string) => Promise<Outcome>, done: string) => void;
};

/** Sends the response of a dialog, and closes the dialog with the outcome. A refusal of the API stays in the dialog. */
export function useRespond({ onClose, onChanged }: RespondProps): Respond {
  const toast = useToast();
  const { run, ...state } = useAct();
  const finish = ({ status, errorCode }: Outcome, done: string): void => {
    if (status === 'FAILED') toast('bad', reasonOf(errorCode));
    else toast('good', status === 'SUCCEEDED' ? done : texts.disputes.response.later);
    onChanged();
    onClose();
  };
  return { ...state, run: (send, done) => run(send, (outcome) => finish(outcome, done)) };
}
