import type { ComponentProps } from 'react';
import { useAct } from '../app/act.ts';
import { FormDialog } from './form-dialog.tsx';
import { useToast } from './toast.tsx';

type ConfirmDialogProps = Required<Pick<ComponentProps<typeof FormDialog>, 'summary' | 'onClose'>> & {
  readonly words: { readonly title: string; readonly keep: string; readonly submit: string };
  /** The effect of the act. */
  readonly text: string;
  /** The sentence after the act. */
  readonly said: string;
  readonly run: () => Promise<unknown>;
  readonly onDone: () => void;
};

/** Asks before an act that takes something away, and says its effect. */
export function ConfirmDialog({ words, text, said, summary, run, onDone, onClose }: ConfirmDialogProps) {
  const act = useAct();
  const toast = useToast();
  const finish = (): void => {
    toast('good', said);
    onDone();
  };
  return (
    <FormDialog
      title={words.title}
      act={act}
      look="danger"
      cancel={words.keep}
      submit={words.submit}
      summary={summary}
      onSubmit={() => act.run(run, finish)}
      onClose={onClose}
    >
      <p className="quiet">{text}</p>
    </FormDialog>
  );
}
