import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { ServiceFields } from '../services/fields.tsx';
import { isReady, updateInput, valuesOf } from '../services/form.ts';
import { updateService, type Definition } from '../services/query.ts';
import type { ServiceDialogProps } from './dialog-props.ts';

type EditDialogProps = ServiceDialogProps & { readonly definition: Definition };

/** Changes the values of a payment service. */
export function EditDialog({ service, definition, onClose, onChanged }: EditDialogProps) {
  const { act: words } = texts.services;
  const act = useAct();
  const toast = useToast();
  const form = { definition, stored: service };
  const [values, setValues] = useState(() => valuesOf(service));
  const finish = (): void => {
    toast('good', words.saved);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={words.editTitle(service.displayName)}
      isWide
      act={act}
      submit={words.save}
      isReady={isReady(form, values)}
      onSubmit={() => act.run(() => updateService(service.id, updateInput(form, values)), finish)}
      onClose={onClose}
    >
      <ServiceFields form={form} values={values} onChange={setValues} error={act.error} />
    </FormDialog>
  );
}
