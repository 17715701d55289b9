import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
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
  return (
    <ConfirmDialog
      words={expire}
      text={expire.text}
      said={expire.done}
      summary={[[expire.amount, writeMoney(link)]]}
      run={() => expireLink(link.id)}
      onDone={() => {
        onChanged();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
