import { useAct, type Act } from '../../app/act.ts';
import { PaygraphError } from '../../../client/error.ts';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import type { Difference } from './query.ts';

const { refused } = texts.differences;

/** The props of each dialog that ends a difference. */
export type EndProps = {
  readonly difference: Difference;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

type End = Pick<Act, 'isRunning' | 'error'> & {
  /** Sends the end. `done` is the sentence of success. */
  readonly run: (send: () => Promise<void>, done: string) => void;
  /** Closes the dialog. After a refusal the page reads the difference again. */
  readonly close: () => void;
};

/** Ends a difference, and closes the dialog. A refusal of the API stays in the dialog. */
export function useEnd({ onClose, onChanged }: EndProps): End {
  const toast = useToast();
  const { run, isRunning, error } = useAct();
  const close = (): void => {
    if (error !== null) onChanged();
    onClose();
  };
  const finish = (done: string): void => {
    toast('good', done);
    onChanged();
    onClose();
  };
  return { isRunning, error, close, run: (send, done) => run(send, () => finish(done)) };
}

/** Says what to do after a refusal. Nothing for an error that tells it itself. */
export function Advice({ error }: { readonly error: unknown }) {
  if (!(error instanceof PaygraphError)) return null;
  if (error.code === 'FORBIDDEN') return <p>{refused.forbidden}</p>;
  return error.code === 'OPERATION_NOT_ALLOWED' ? <p>{refused.changed}</p> : null;
}
