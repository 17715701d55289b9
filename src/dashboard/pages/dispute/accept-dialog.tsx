import { FormDialog } from '../../design/form-dialog.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { acceptDispute } from './query.ts';
import { useRespond, type RespondProps } from './respond.ts';

const { accept } = texts.disputes;

/** Gives the disputed money up after a summary. */
export function AcceptDialog(props: RespondProps) {
  const { dispute, onClose } = props;
  const act = useRespond(props);
  return (
    <FormDialog
      title={accept.title}
      act={act}
      look="danger"
      cancel={accept.keep}
      submit={accept.submit}
      summary={[
        [accept.amount, <Amount {...dispute} />],
        [accept.reason, texts.disputes.reason[dispute.reason]],
      ]}
      onSubmit={() => act.run((key) => acceptDispute(dispute.id, key), accept.done)}
      onClose={onClose}
    >
      <p className="quiet">{accept.text}</p>
    </FormDialog>
  );
}
