import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { EndpointFields } from './fields.tsx';
import { inputOf, valuesOf } from './form.ts';
import { createEndpoint, type Created } from './query.ts';

type CreateDialogProps = { readonly onClose: () => void; readonly onCreated: (created: Created) => void };

/** Creates a webhook endpoint. */
export function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const act = useAct();
  const [values, setValues] = useState(() => valuesOf(null));
  const finish = (created: Created): void => {
    onCreated(created);
    onClose();
  };
  return (
    <FormDialog
      title={texts.webhooks.add}
      isWide
      act={act}
      submit={texts.webhooks.add}
      isReady={values.url.trim() !== ''}
      onSubmit={() => act.run((key) => createEndpoint(inputOf(values), key), finish)}
      onClose={onClose}
    >
      <EndpointFields values={values} onChange={setValues} error={act.error} />
    </FormDialog>
  );
}
