import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { EndpointFields } from '../webhooks/fields.tsx';
import { inputOf, valuesOf } from '../webhooks/form.ts';
import { updateEndpoint } from '../webhooks/query.ts';
import type { EndpointDialogProps } from './dialog-props.ts';

/** Changes the values of an endpoint. */
export function EditDialog({ endpoint, onClose, onChanged }: EndpointDialogProps) {
  const { act: words } = texts.webhooks;
  const act = useAct();
  const toast = useToast();
  const [values, setValues] = useState(() => valuesOf(endpoint));
  const finish = (): void => {
    toast('good', words.saved);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={words.editTitle}
      isWide
      act={act}
      submit={words.save}
      isReady={values.url.trim() !== ''}
      onSubmit={() => act.run(() => updateEndpoint(endpoint.id, inputOf(values)), finish)}
      onClose={onClose}
    >
      <EndpointFields values={values} onChange={setValues} error={act.error} />
    </FormDialog>
  );
}
