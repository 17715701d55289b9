import type { ReactNode } from 'react';
import { useSaidAct, type Saying } from '../../app/data/act.ts';
import { texts } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { Copy } from '../pieces.tsx';
import { Problem } from '../problem.tsx';
import { Summary, type Fact } from '../record/facts.tsx';
import { Dialog } from './dialog.tsx';
import { FormError } from './field.tsx';

/** The ends of a dialog about a record. */
export type DialogProps = { readonly onClose: () => void; readonly onChanged: () => void };

type FormDialogProps<Result> = {
  readonly title: string;
  readonly submit: string;
  readonly cancel?: string;
  /** The effect of the act, shown before it. */
  readonly summary?: readonly Fact[];
  /** `danger` for an act that destroys something. */
  readonly look?: 'primary' | 'danger';
  readonly isWide?: boolean;
  /** False while a value is wrong. */
  readonly isReady?: boolean;
  /** The error of a read that the form needs. */
  readonly error?: unknown;
  /** Carries the act out. The key is the same until an act succeeds, so a repeated press never does anything twice. */
  readonly run: (idempotencyKey: string) => Promise<Result>;
  /** The sentence after the act. */
  readonly said?: Saying<Result>;
  /** Takes the result. Without it, the act closes the dialog. */
  readonly onDone?: (result: Result) => void;
  readonly onChanged?: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** A dialog that carries something out: values, a summary, and the error of the API if it refuses. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { title, isWide = false, isReady = true, look = 'primary', summary = [] } = props;
  const { run, said, onDone, onChanged, onClose } = props;
  const act = useSaidAct(onChanged);
  const error = act.error ?? props.error ?? null;
  const close = (): void => {
    // The record may have changed, so that the API refused.
    if (act.error !== null) onChanged?.();
    onClose();
  };
  return (
    <Dialog title={title} onClose={close} mayClose={!act.isRunning} isWide={isWide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !act.isRunning) act.run(run, said, onDone ?? onClose);
        }}
      >
        <FormError value={act.error}>
          <div className="dialog-body">
            {props.children}
            {summary.length > 0 && <Summary facts={summary} />}
            {error !== null && <Problem error={error} />}
          </div>
        </FormError>
        <div className="dialog-foot">
          <Button onPress={close} isDisabled={act.isRunning}>
            {props.cancel ?? texts.action.cancel}
          </Button>
          <Button look={look} submits isDisabled={act.isRunning || !isReady}>
            {act.isRunning ? texts.action.running : props.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ConfirmDialogProps<Result> = Omit<FormDialogProps<Result>, 'title' | 'submit' | 'cancel' | 'look'> & {
  readonly words: { readonly title: string; readonly keep: string; readonly submit: string };
  /** The effect of the act. */
  readonly text: string;
};

/** Asks before an act that takes something away, and says its effect. */
export const ConfirmDialog = <Result,>({ words, text, ...rest }: ConfirmDialogProps<Result>) => (
  <FormDialog {...rest} title={words.title} submit={words.submit} cancel={words.keep} look="danger">
    <p className="quiet">{text}</p>
  </FormDialog>
);

type SecretDialogProps = {
  readonly title: string;
  readonly done: string;
  /** Null if an earlier answer had the secret, and was lost. */
  readonly secret: string | null;
  readonly text: string;
  readonly note?: string;
  readonly onClose: () => void;
};

/** Shows a secret that the API never tells again. */
export const SecretDialog = ({ title, done, secret, text, note, onClose }: SecretDialogProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    isWide
    foot={
      <Button look="primary" onPress={onClose}>
        {done}
      </Button>
    }
  >
    <p>{text}</p>
    {secret !== null && (
      <p className="secret">
        <Copy value={secret} />
      </p>
    )}
    {note && <p className="quiet">{note}</p>}
  </Dialog>
);
