import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Copy } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

type SecretDialogProps = {
  /** Null if an earlier answer had the secret, and was lost. */
  readonly secret: string | null;
  readonly onClose: () => void;
};

/** Shows a new signing secret. The API never tells it again. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const words = texts.webhooks.secret;
  return (
    <Dialog title={words.title} onClose={onClose} isWide>
      <div className="dialog-body">
        <p>{secret === null ? words.lost : words.text}</p>
        {secret !== null && (
          <p className="secret">
            <Copy value={secret} />
          </p>
        )}
        <p className="quiet">{words.use}</p>
      </div>
      <div className="dialog-foot">
        <Button look="primary" onPress={onClose}>
          {words.done}
        </Button>
      </div>
    </Dialog>
  );
}
