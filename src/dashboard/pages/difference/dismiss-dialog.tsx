import { useState } from 'react';
import { AreaField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { reportOf } from '../differences/words.ts';
import { Advice, useEnd, type EndProps } from './end.tsx';
import { dismiss } from './query.ts';

const { differences } = texts;
const { dismiss: words } = differences;

/** Ends a difference without a booking. The audit log keeps the reason. */
export function DismissDialog(props: EndProps) {
  const { difference } = props;
  const end = useEnd(props);
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={words.title}
      act={end}
      submit={words.submit}
      look="danger"
      isReady={reason.trim() !== ''}
      summary={[
        [differences.column.finding, differences.finding[difference.finding].short],
        [differences.column.provider, reportOf(difference)],
      ]}
      onSubmit={() => end.run(() => dismiss(difference.id, reason.trim()), words.done)}
      onClose={end.close}
    >
      <p className="quiet">{words.text}</p>
      <AreaField
        label={words.reason}
        hint={words.reasonHint}
        maxLength={500}
        required
        value={reason}
        onChange={setReason}
      />
      <Advice error={end.error} />
    </FormDialog>
  );
}
