import { useAct } from '../../app/act.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { expireLink, type PaymentLink } from './query.ts';

const { expire } = texts.links;

type ExpireDialogProps = {
  readonly link: PaymentLink;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** Expires a link after a summary. */
export function ExpireDialog({ link, onClose, onChanged }: ExpireDialogProps) {
  const act = useAct();
  const toast = useToast();
  const finish = (): void => {
    toast('good', expire.done);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={expire.title}
      act={act}
      look="danger"
      cancel={expire.keep}
      submit={expire.submit}
      summary={[[expire.amount, writeMoney(link)]]}
      onSubmit={() => act.run(() => expireLink(link.id), finish)}
      onClose={onClose}
    >
      <p className="quiet">{expire.text}</p>
    </FormDialog>
  );
}
