import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { Summary, type Fact } from './facts.tsx';

type FormDialogProps = {
  readonly title: string;
  readonly act: { readonly isRunning: boolean; readonly error: unknown };
  /** The effect of the act, shown before it. */
  readonly summary?: readonly Fact[];
  readonly submit: string;
  /** `danger` for an act that destroys something. */
  readonly look?: 'primary' | 'danger';
  readonly isWide?: boolean;
  /** False while a value is wrong. */
  readonly isReady?: boolean;
  readonly cancel?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** A dialog that carries something out: values, a summary, and the error of the API if it refuses. */
export function FormDialog({ act, summary = [], onSubmit, onClose, ...rest }: FormDialogProps) {
  const { isRunning, error } = act;
  const { title, isWide = false, isReady = true, look = 'primary' } = rest;
  return (
    <Dialog title={title} onClose={onClose} mayClose={!isRunning} isWide={isWide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isRunning) onSubmit();
        }}
      >
        <div className="dialog-body">
          {rest.children}
          {summary.length > 0 && <Summary facts={summary} />}
          {error !== null && <Problem error={error} />}
        </div>
        <div className="dialog-foot">
          <Button onPress={onClose} isDisabled={isRunning}>
            {rest.cancel ?? texts.action.cancel}
          </Button>
          <Button look={look} submits isDisabled={isRunning || !isReady}>
            {isRunning ? texts.action.running : rest.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
