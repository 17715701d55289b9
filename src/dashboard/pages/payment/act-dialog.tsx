import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Problem } from '../../design/problem.tsx';
import { Amount, type Money } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Act } from './act.ts';

type ActDialogProps = {
  readonly title: string;
  readonly act: Act;
  /** The effect of the act, shown before it. */
  readonly summary: readonly (readonly [label: string, amount: Money])[];
  readonly submit: string;
  /** False while a value is wrong. */
  readonly isReady: boolean;
  readonly cancel?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** A dialog that moves money: values, a summary, and the error of the API if it refuses. */
export function ActDialog({
  title,
  act,
  summary,
  submit,
  isReady,
  onSubmit,
  onClose,
  ...rest
}: ActDialogProps) {
  const { isRunning, error } = act;
  return (
    <Dialog title={title} onClose={onClose} mayClose={!isRunning}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isRunning) onSubmit();
        }}
      >
        <div className="dialog-body">
          {rest.children}
          <dl className="summary">
            {summary.map(([label, amount]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <Amount {...amount} />
                </dd>
              </div>
            ))}
          </dl>
          {error !== null && <Problem error={error} />}
        </div>
        <div className="dialog-foot">
          <Button onPress={onClose} isDisabled={isRunning}>
            {rest.cancel ?? texts.action.cancel}
          </Button>
          <Button look="primary" submits isDisabled={isRunning || !isReady}>
            {isRunning ? texts.payment.act.running : submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
